/** Weights and optimiser moments of a network whose data changed. */
import { type CopyPlan, copyMoments, copyWeights, planCopy } from "../../evolution/members.ts";
import type { DrawKey } from "../../evolution/random.ts";
import { initialise, type NetworkData, type NetworkState, networkTensors } from "../../rl/networks.ts";
import type { OptimizerState } from "./agentState.ts";

/** The plan that fills the tensors of `after` from those of `before`. */
export const networkCopyPlan = (before: NetworkData, after: NetworkData): CopyPlan =>
  planCopy(networkTensors(before), networkTensors(after));

/**
 * The network with its new data, keeping its weights. It computes the same function after widening (without
 * layer norm) and after a layer was added (without layer norm, if the activation is ReLU or Identity). Shares
 * no arrays with `network`.
 */
export function resizeNetwork(network: NetworkState, data: NetworkData, key: DrawKey): NetworkState {
  const plan = networkCopyPlan(network.data, data);
  const tensors = copyWeights(plan, network.tensors, (spec, added) =>
    initialise(spec, key, added ? (spec.added ?? spec.init) : spec.init),
  );
  return { data, tensors };
}

/** The optimiser's state after the network `name` changed from `before` to `after`. */
export function resizeOptimizer(
  optimizer: OptimizerState,
  name: string,
  before: NetworkData,
  after: NetworkData,
): OptimizerState {
  if (!optimizer.networks.includes(name)) return optimizer;
  const plan = networkCopyPlan(before, after);
  return {
    ...optimizer,
    first: copyMoments(plan, optimizer.first, `${name}.`, "zero"),
    second: copyMoments(plan, optimizer.second, `${name}.`, "mean"),
  };
}
