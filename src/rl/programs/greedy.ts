/** Greedy actions for observations of the host. */
import { type Program, state, trace } from "../../kernels/index.ts";
import { legalActions } from "../contract/choices.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { greedyAction } from "./evaluation.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { lanesMemory } from "./memory.ts";

/** Actions for `act.obs` in `act.greedy`, among what `act.mask` allows. What is remembered goes on in `memory.*`. */
export function greedyProgram(structure: AgentStructure, layout: AgentSpaces): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.greedy`, () => {
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const networks = readNetworks(structure, algorithm.policies);
    const kept = lanesMemory(networks);
    const { action, memory } = greedyAction(
      algorithm,
      networks,
      {
        obs: networkInput(structure, layout.observation_space, obs),
        memory: kept.read(),
        mask: legalActions(layout, lanes),
      },
      layout,
    );
    kept.write(memory);
    state("act.greedy", action.shape, { dtype: action.dtype }).write(action);
  });
}
