/** A new member: networks from a specification, fresh weights, zero moments. */
import type { AlgoSpec, NetworkMutationRanges, NetworkSection, NetworkSpec } from "../../specs/index.ts";
import { findAlgorithm } from "../algorithms/registry.ts";
import { initNetwork } from "../networks/index.ts";
import type { NetworkState, Tensors } from "../networks/networkState.ts";
import type { Space } from "../spaces/index.ts";
import type { AgentState, OptimizerState } from "./agentState.ts";
import { networkOf } from "./networkOf.ts";

export interface AgentOptions {
  /** The algorithm's spec with all defaults. */
  readonly spec: AlgoSpec;
  readonly observation_space: Space;
  readonly action_space: Space;
  /** The manifest's network section. */
  readonly network?: NetworkSection | NetworkSpec | null;
  readonly ranges?: NetworkMutationRanges | null;
  /** Networks of the caller's own, by name (actor, critic), in place of those from the spec. */
  readonly given?: Readonly<Record<string, NetworkState>>;
  /** Identity and position in the population; 0 unless given. */
  readonly index?: number;
  /** Of initial weights where the network section gives no `random_seed`; 42 unless given. */
  readonly seed?: number;
}

const zerosLike = (tensors: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, values]) => [name, new Float32Array(values.length)]),
  );

const copyOf = ({ data, tensors }: NetworkState): NetworkState => ({
  data,
  tensors: Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name, values.slice()])),
});

/** The numbers, switches and names of a spec. */
export function scalarsOf(spec: AlgoSpec): AgentState["hyperparameters"] {
  return Object.fromEntries(
    Object.entries(spec).filter(
      ([key, value]) =>
        key !== "name" && key !== "net_config" && (value === null || typeof value !== "object"),
    ),
  ) as AgentState["hyperparameters"];
}

/** Zero moments for the networks an optimiser trains. */
export function freshOptimizer(
  networks: readonly string[],
  lr: string,
  states: Readonly<Record<string, NetworkState>>,
): OptimizerState {
  const moments = () =>
    Object.fromEntries(
      networks.flatMap((network) =>
        Object.entries(zerosLike((states[network] as NetworkState).tensors)).map(([name, values]) => [
          `${network}.${name}`,
          values,
        ]),
      ),
    );
  return { networks, lr, step: 0, first: moments(), second: moments() };
}

/** @throws SpecError when the algorithm cannot act in the environment. */
export function createAgent(options: AgentOptions): AgentState {
  const {
    spec,
    observation_space,
    action_space,
    network = null,
    ranges = null,
    given = {},
    index = 0,
    seed = 42,
  } = options;
  const algorithm = findAlgorithm(spec.name);
  const resolved = networkOf(spec, observation_space, { network, ranges });
  const own = scalarsOf(spec);
  // A network of the caller's own has no encoder that another one could share.
  const scalars =
    own.share_encoders === true && Object.keys(given).length > 0 ? { ...own, share_encoders: false } : own;
  const data = algorithm.networks({
    observation_space,
    action_space,
    network: resolved,
    hyperparameters: scalars,
  });
  const networks: Record<string, NetworkState> = {};
  for (const [name, networkData] of Object.entries(data)) {
    const online = algorithm.targets[name];
    if (online) networks[name] = copyOf(networks[online] as NetworkState);
    else if (given[name]) networks[name] = copyOf(given[name]);
    else
      networks[name] = {
        data: networkData,
        tensors: initNetwork(networkData, {
          seed: resolved.random_seed ?? seed,
          stream: `init.${name}`,
          slot: index,
        }),
      };
  }
  const optimizers = Object.fromEntries(
    Object.entries(algorithm.optimizers).map(([name, { networks: trained, lr }]) => [
      name,
      freshOptimizer(trained, lr, networks),
    ]),
  );
  return {
    algorithm: spec.name,
    index,
    parent: null,
    hyperparameters: scalars,
    networks,
    optimizers,
    fitness: [],
    steps: 0,
    learn_credit: 0,
    mut: "None",
  };
}
