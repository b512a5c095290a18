/** The measured mutations. */

import {
  type AgentState,
  findAlgorithm,
  mutateActivation,
  mutateArchitecture,
  mutateParameters,
} from "../../src/agents/members.ts";
import { type MomentRule, shapeKeepingRules, structuralRules } from "./momentRules.ts";

export interface MeasuredMutation {
  readonly name: string;
  readonly rules: readonly MomentRule[];
  readonly apply: (agent: AgentState, seed: number) => AgentState;
}

/** The architecture mutation with a given label, found by drawing until it occurs. */
const structural = (label: string): MeasuredMutation => ({
  name: label,
  rules: structuralRules,
  apply: (agent, seed) => {
    for (let draw = 0; draw < 10_000; draw++) {
      const key = { seed, slot: draw };
      const options = { new_layer_prob: label.endsWith("layer") ? 1 : 0, key };
      const { agent: mutated, mut } = mutateArchitecture(agent, findAlgorithm(agent.algorithm), options);
      if (mut === label) return mutated;
    }
    throw new Error(`${label} was not drawn`);
  },
});

export const measuredMutations: readonly MeasuredMutation[] = [
  structural("head_net.add_layer"),
  structural("head_net.add_node"),
  structural("encoder.add_node"),
  {
    name: "act (another activation)",
    rules: shapeKeepingRules,
    apply: (agent, seed) =>
      mutateActivation(agent, findAlgorithm(agent.algorithm), {
        activation_selection: ["ReLU", "ELU", "GELU"],
        key: { seed },
      }).agent,
  },
  {
    name: "param (noise on weights)",
    rules: shapeKeepingRules,
    apply: (agent, seed) =>
      mutateParameters(agent, findAlgorithm(agent.algorithm), { mutation_sd: 0.1, key: { seed } }).agent,
  },
];
