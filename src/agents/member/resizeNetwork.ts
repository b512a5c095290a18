/** Weights and optimiser moments of a network whose data changed. */
import { type CopyPlan, copyMoments, copyWeights, planCopy } from "../../evolution/members.ts";
import type { DrawKey } from "../../evolution/random.ts";
import {
  initialise,
  type NetworkData,
  type NetworkState,
  networkTensors,
  withLatent,
} from "../../rl/networks.ts";
import { withNormalizationOf } from "./adoptedNormalization.ts";
import type { AgentState, OptimizerState } from "./agentState.ts";
import { freshOptimizer } from "./createAgent.ts";
import { algorithmOf } from "./registry.ts";

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

const copyOf = ({ data, tensors }: NetworkState): NetworkState => ({
  data,
  tensors: Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name, values.slice()])),
});

/**
 * A new member with the weights of `agent` and zero moments. If the agent is only a policy, the member keeps
 * its own critics, which then read the policy's latent vector.
 * @throws RangeError for an agent of another algorithm or with other policies.
 */
export function withAgentWeights(member: AgentState, agent: AgentState): AgentState {
  if (agent.algorithm !== member.algorithm) {
    throw new RangeError(
      `The agent was trained by ${agent.algorithm}, but the manifest names ${member.algorithm}; use the same algorithm.`,
    );
  }
  const { policies, targets } = algorithmOf(member);
  const missing = policies.find((name) => !agent.networks[name]);
  if (missing !== undefined)
    throw new RangeError(`The agent has no network "${missing}"; choose another agent.`);
  const networks: Record<string, NetworkState> = {};
  for (const [name, own] of Object.entries(member.networks)) {
    const given = agent.networks[name];
    networks[name] = given ? copyOf(given) : own;
  }
  const latent = networks[policies[0] ?? ""]?.data.latent_dim;
  for (const [name, network] of Object.entries(networks)) {
    const { data } = network;
    if (data.encoder !== "shared" || latent === undefined || data.latent_dim === latent) continue;
    const key = { seed: member.index, stream: `weights/${name}` };
    networks[name] = resizeNetwork(network, withLatent(data, latent), key);
  }
  for (const [target, online] of Object.entries(targets)) {
    const source = networks[online];
    if (source && !agent.networks[target]) networks[target] = copyOf(source);
  }
  const taken = {
    ...member,
    networks,
    ...(agent.parameters ? { parameters: structuredClone(agent.parameters) } : {}),
  };
  const optimizers = Object.entries(member.optimizers).map(([name, optimizer]) => [
    name,
    freshOptimizer(optimizer, taken),
  ]);
  return withNormalizationOf({ ...taken, optimizers: Object.fromEntries(optimizers) }, agent);
}
