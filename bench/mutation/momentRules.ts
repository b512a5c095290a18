/** Candidate rules for Adam's moments after a mutation of an agent's networks. */

import { type AgentState, networkCopyPlan, type OptimizerState } from "../../src/agents/members.ts";
import { copyMoments } from "../../src/evolution/index.ts";
import type { Tensors } from "../../src/rl/networks.ts";

/** Replaces the moments of a mutated agent. `before` is the agent before the mutation. */
export interface MomentRule {
  readonly name: string;
  readonly apply: (before: AgentState, after: AgentState) => AgentState;
}

const withOptimizers = (
  agent: AgentState,
  change: (optimizer: OptimizerState, name: string) => OptimizerState,
): AgentState => ({
  ...agent,
  optimizers: Object.fromEntries(
    Object.entries(agent.optimizers).map(([name, optimizer]) => [name, change(optimizer, name)]),
  ),
});

const mapTensors = (tensors: Tensors, change: (values: Float32Array) => Float32Array): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name, change(values)]));

const zeros = (tensors: Tensors): Tensors => mapTensors(tensors, (values) => values.map(() => 0));

const means = (tensors: Tensors): Tensors =>
  mapTensors(tensors, (values) => values.map(() => values.reduce((a, b) => a + b, 0) / values.length));

/** Second moments of new weights start at 0. */
function zeroForNew(before: AgentState, after: AgentState): AgentState {
  return withOptimizers(after, (optimizer, name) => {
    let second = before.optimizers[name]?.second ?? {};
    for (const network of optimizer.networks) {
      const [old, now] = [before.networks[network], after.networks[network]];
      if (old && now)
        second = copyMoments(networkCopyPlan(old.data, now.data), second, `${network}.`, "zero");
    }
    return { ...optimizer, second };
  });
}

export const shipped: MomentRule = { name: "as rlkit does", apply: (_before, after) => after };

export const restarted: MomentRule = {
  name: "Adam restarted",
  apply: (_before, after) =>
    withOptimizers(after, (o) => ({ ...o, step: 0, first: zeros(o.first), second: zeros(o.second) })),
};

/** Rules for architecture mutations. */
export const structuralRules: readonly MomentRule[] = [
  shipped,
  { name: "second moments of new weights 0", apply: zeroForNew },
  restarted,
];

/** Rules for mutations that keep every tensor's shape. */
export const shapeKeepingRules: readonly MomentRule[] = [
  shipped,
  restarted,
  {
    name: "first moments 0",
    apply: (_before, after) => withOptimizers(after, (o) => ({ ...o, first: zeros(o.first) })),
  },
  {
    name: "first moments 0, second those of their tensor on average",
    apply: (_before, after) =>
      withOptimizers(after, (o) => ({ ...o, first: zeros(o.first), second: means(o.second) })),
  },
];
