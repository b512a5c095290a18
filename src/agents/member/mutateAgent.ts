/**
 * Mutations of an agent's networks, as pure functions from state to state. The algorithm's own parameters
 * (such as a temperature) stay the same: the quantities that they adapt to change with the networks, and
 * learning adjusts them.
 */
import { NO_MUTATION } from "../../evolution/members.ts";
import { type DrawKey, Random, subKey } from "../../evolution/random.ts";
import type { LastLayer } from "../../rl/contract.ts";
import {
  applyMethod,
  definitionOf,
  drawMethod,
  type NetworkData,
  type NetworkState,
  networkMethods,
  networkTensors,
  perturbWeights,
  type Tensors,
  withLatent,
} from "../../rl/networks.ts";
import type { Activation } from "../../specs/networks.ts";
import { type AgentState, mapStatistics } from "./agentState.ts";
import { resizeNetwork, resizeOptimizer } from "./resizeNetwork.ts";

/** The roles of an agent's networks. Networks not named here repeat the policy's changes. */
export interface NetworkRoles {
  /** The networks that mutations are drawn for: a single one, or one per key for several agents. */
  readonly policies: readonly string[];
  /** Online network of each target: a target becomes its exact copy. */
  readonly targets: Readonly<Record<string, string>>;
  /** State that belongs to the last layer of a single policy. */
  readonly lastLayer?: LastLayer | undefined;
}

export interface AgentMutation {
  readonly agent: AgentState;
  /** Label of the mutation, as shown in the lineage. */
  readonly mut: string;
}

/** @throws RangeError naming the network that is missing. */
function networkOf(agent: AgentState, name: string): NetworkState {
  const network = agent.networks[name];
  if (network) return network;
  const known = Object.keys(agent.networks).join(", ");
  throw new RangeError(`networks.${name}: unknown to the agent; allowed: ${known}`);
}

/** Networks that repeat a policy's changes: the other policies, critics. */
const followersOf = (agent: AgentState, policy: string, { targets }: NetworkRoles): string[] =>
  Object.keys(agent.networks).filter((name) => name !== policy && !Object.hasOwn(targets, name));

/** The policy that a change is drawn for. @throws RangeError when there is none. */
function drawnPolicy({ policies }: NetworkRoles, key: DrawKey): string {
  const [only] = policies;
  if (only === undefined) throw new RangeError("roles.policies: found none, allowed one or more");
  return policies.length === 1 ? only : new Random(subKey(key, "policy")).choice(policies);
}

const copyTensors = (tensors: Tensors): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name, values.slice()]));

const copyParameters = (parameters: NonNullable<AgentState["parameters"]>): typeof parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { shape, values }]) => [name, { shape, values: values.slice() }]),
  );

/** A deep copy of `agent`, with `agent` as its parent. */
export function cloneAgent(agent: AgentState, index = agent.index): AgentState {
  const copyNetwork = ({ data, tensors }: NetworkState) => ({ data, tensors: copyTensors(tensors) });
  return {
    ...agent,
    index,
    parent: agent.index,
    hyperparameters: { ...agent.hyperparameters },
    networks: Object.fromEntries(
      Object.entries(agent.networks).map(([name, network]) => [name, copyNetwork(network)]),
    ),
    ...(agent.parameters ? { parameters: copyParameters(agent.parameters) } : {}),
    ...(agent.normalization && {
      normalization: mapStatistics(agent.normalization, (values) => values.slice()),
    }),
    optimizers: Object.fromEntries(
      Object.entries(agent.optimizers).map(([name, optimizer]) => [
        name,
        { ...optimizer, first: copyTensors(optimizer.first), second: copyTensors(optimizer.second) },
      ]),
    ),
    fitness: [...agent.fitness],
  };
}

/**
 * Replaces networks, updates their target networks, and resizes the optimisers' moments with their weights.
 */
function replaceNetworks(
  agent: AgentState,
  roles: NetworkRoles,
  changed: Readonly<Record<string, NetworkState>>,
): AgentState {
  const networks = { ...agent.networks, ...changed };
  for (const [target, online] of Object.entries(roles.targets)) {
    const source = changed[online];
    if (source) networks[target] = { data: source.data, tensors: copyTensors(source.tensors) };
  }
  const optimizers = Object.fromEntries(
    Object.entries(agent.optimizers).map(([name, optimizer]) => {
      let moved = optimizer;
      for (const [network, { data }] of Object.entries(changed))
        moved = resizeOptimizer(moved, network, networkOf(agent, network).data, data);
      return [name, moved];
    }),
  );
  return { ...agent, networks, optimizers };
}

function changeData(
  agent: AgentState,
  roles: NetworkRoles,
  data: Readonly<Record<string, NetworkData>>,
  key: DrawKey,
): AgentState {
  const changed = Object.entries(data)
    .filter(([name, next]) => networkOf(agent, name).data !== next)
    .map(([name, next]) => {
      return [name, resizeNetwork(networkOf(agent, name), next, subKey(key, `weights/${name}`))] as const;
    });
  return replaceNetworks(agent, roles, Object.fromEntries(changed));
}

/**
 * Draws a mutation method for the policy (for several agents, for one of their policies), applies it, and
 * repeats it with the same arguments on every follower that has the method. If the policy's limits forbid the
 * change, nothing changes.
 */
export function mutateArchitecture(
  agent: AgentState,
  roles: NetworkRoles,
  { new_layer_prob, key }: { readonly new_layer_prob: number; readonly key: DrawKey },
): AgentMutation {
  const acting = drawnPolicy(roles, key);
  const policy = networkOf(agent, acting).data;
  const path = drawMethod(policy, new_layer_prob, new Random(subKey(key, "method")));
  if (path === null) return { agent, mut: NO_MUTATION };
  const result = applyMethod(policy, path, subKey(key, acting));
  if (result.data === policy) return { agent, mut: NO_MUTATION };

  const data: Record<string, NetworkData> = { [acting]: result.data };
  for (const name of followersOf(agent, acting, roles)) {
    const follower = networkOf(agent, name).data;
    const repeats = networkMethods(follower).some((method) => method.path === result.path);
    const next = repeats ? applyMethod(follower, result.path, subKey(key, name), result.args).data : follower;
    // Its latent vector is the policy's, regardless of its own limits.
    const { latent_dim } = result.data;
    const mustFollow = next.encoder === "shared" && next.latent_dim !== latent_dim;
    data[name] = mustFollow ? withLatent(next, latent_dim) : next;
  }
  const changed = changeData(agent, roles, data, key);
  return { agent: withFreshLastLayer(agent, changed, roles, acting), mut: result.path };
}

/** The widths of the head's layers, as a key. */
const hiddenWidths = ({ head }: NetworkData): string => JSON.stringify(definitionOf(head).widths(head, ""));

/** Reinitialises the state of the policy's last layer if the head's layers changed. */
function withFreshLastLayer(
  before: AgentState,
  after: AgentState,
  { lastLayer }: NetworkRoles,
  acting: string,
): AgentState {
  const policy = networkOf(after, acting);
  if (!lastLayer || hiddenWidths(networkOf(before, acting).data) === hiddenWidths(policy.data)) return after;
  return {
    ...after,
    parameters: { ...after.parameters, ...lastLayer.fresh(policy, after.hyperparameters) },
  };
}

/**
 * Changes the hidden activation of all online networks to one drawn from the selection, other than the
 * policy's. Weights stay the same. Label "act".
 */
export function mutateActivation(
  agent: AgentState,
  roles: NetworkRoles,
  {
    activation_selection,
    key,
  }: { readonly activation_selection: readonly Activation[]; readonly key: DrawKey },
): AgentMutation {
  const policy = drawnPolicy(roles, key);
  const current = hiddenActivation(networkOf(agent, policy).data);
  const others = activation_selection.filter((name) => name !== current);
  if (current === null || others.length === 0) return { agent, mut: NO_MUTATION };
  const activation = new Random(subKey(key, "activation")).choice(others);
  const names = [policy, ...followersOf(agent, policy, roles)];
  const data = Object.fromEntries(
    names.map((name) => [name, withActivation(networkOf(agent, name).data, activation)]),
  );
  return { agent: changeData(agent, roles, data, key), mut: "act" };
}

function hiddenActivation({ encoder, head }: NetworkData): Activation | null {
  const module = encoder === null || encoder === "shared" ? head : encoder;
  return definitionOf(module).activation(module);
}

/** Changes the encoder's hidden and output activations, but only the head's hidden ones. */
function withActivation(data: NetworkData, activation: Activation): NetworkData {
  const { encoder, head } = data;
  return {
    ...data,
    encoder:
      encoder === null || encoder === "shared"
        ? encoder
        : definitionOf(encoder).withActivation(encoder, activation, true),
    head: definitionOf(head).withActivation(head, activation, false),
  };
}

/** Adds noise to some weights of each policy; their target networks become copies of them. Label "param". */
export function mutateParameters(
  agent: AgentState,
  roles: NetworkRoles,
  { mutation_sd, key }: { readonly mutation_sd: number; readonly key: DrawKey },
): AgentMutation {
  const { policies } = roles;
  const changed = policies.map((name) => {
    const { data, tensors } = networkOf(agent, name);
    const own = policies.length === 1 ? key : subKey(key, name);
    return [
      name,
      { data, tensors: perturbWeights(networkTensors(data), tensors, mutation_sd, own) },
    ] as const;
  });
  return { agent: replaceNetworks(agent, roles, Object.fromEntries(changed)), mut: "param" };
}
