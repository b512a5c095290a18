/** A new member: networks from a specification, fresh weights, zero moments. */
import type { AlgoSpec } from "../../manifests/index.ts";
import { type ParameterData, parameterName, withFamilies } from "../../rl/contract.ts";
import { initNetwork, isNetworkMap, type NetworkState, type Tensors } from "../../rl/networks.ts";
import type { Normalization } from "../../rl/programs.ts";
import type { Space } from "../../rl/spaces.ts";
import { constantFields } from "../../specs/algorithms.ts";
import { type NetworkMutationRanges, NormalizeSpec, type ShapingSpec } from "../../specs/sections.ts";
import {
  type AgentState,
  freshNormalization,
  type OptimizerState,
  type ParameterState,
} from "./agentState.ts";
import { type GivenNetwork, keyedSections, networkContext } from "./networkOf.ts";
import { findAlgorithm } from "./registry.ts";

export { isTiny } from "./networkOf.ts";

export interface AgentOptions {
  /** The algorithm's spec with all defaults. */
  readonly spec: AlgoSpec;
  readonly observation_space: Space;
  readonly action_space: Space;
  /** The manifest's network section. */
  readonly network?: GivenNetwork;
  readonly ranges?: NetworkMutationRanges | null;
  /** How observations and rewards are scaled (default: not at all). */
  readonly normalization?: Normalization | null;
  /** The caller's own networks, by name (actor, critic), which replace those from the spec. */
  readonly given?: Readonly<Record<string, NetworkState>>;
  /** Identity and position in the population (default: 0). */
  readonly index?: number;
  /** Seed of the initial weights if the network section has no `random_seed` (default: 42). */
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

/** The scalar fields of a spec: numbers, booleans, strings and null. Constant schedules are left out. */
export function scalarsOf(spec: AlgoSpec): AgentState["hyperparameters"] {
  const constant = constantFields({ ...spec });
  return Object.fromEntries(
    Object.entries(spec).filter(
      ([key, value]) =>
        key !== "name" &&
        key !== "net_config" &&
        !constant.has(key) &&
        (value === null || typeof value !== "object"),
    ),
  ) as AgentState["hyperparameters"];
}

/** An optimiser state with zero moments for everything that the optimiser trains. */
export function freshOptimizer(
  { networks, parameters = [], lr }: Pick<OptimizerState, "networks" | "parameters" | "lr">,
  agent: Pick<AgentState, "networks" | "parameters">,
): OptimizerState {
  const moments = (): Tensors =>
    Object.fromEntries([
      ...networks.flatMap((network) =>
        Object.entries(zerosLike(agent.networks[network]?.tensors ?? {})).map(
          ([name, values]) => [`${network}.${name}`, values] as const,
        ),
      ),
      ...parameters.map(
        (name) =>
          [parameterName(name), new Float32Array(agent.parameters?.[name]?.values.length ?? 0)] as const,
      ),
    ]);
  const own = parameters.length === 0 ? {} : { parameters };
  return { networks, ...own, lr, step: 0, first: moments(), second: moments() };
}

/** The algorithm's own parameters at their initial values. */
const freshParameters = (data: Readonly<Record<string, ParameterData>>): Record<string, ParameterState> =>
  Object.fromEntries(
    Object.entries(data).map(([name, { shape, init }]) => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      return [name, { shape, values: new Float32Array(size).fill(init) }];
    }),
  );

/** How fields of an environment's section scale observations and rewards; null if they are taken as they are. */
export function normalizationOf({
  normalize,
  reward_scale,
  reward_clip,
}: Pick<ShapingSpec, "normalize" | "reward_scale" | "reward_clip">): Normalization | null {
  const scales = normalize !== null && (normalize.observations || normalize.rewards);
  if (!scales && reward_scale === 1 && reward_clip === null) return null;
  const settings = normalize ?? NormalizeSpec.parse({});
  return {
    ...settings,
    reward_scale,
    reward_clip: typeof reward_clip === "number" ? [-reward_clip, reward_clip] : reward_clip,
  };
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
    normalization = null,
    index = 0,
    seed = 42,
  } = options;
  const definition = findAlgorithm(spec.name);
  const own = scalarsOf(spec);
  // The caller's own networks have no encoder that another network could share.
  const scalars =
    own.share_encoders === true && Object.keys(given).length > 0 ? { ...own, share_encoders: false } : own;
  const context = networkContext(spec, { observation_space, action_space }, { network, ranges }, scalars);
  const data = definition.networks(context);
  const algorithm = withFamilies(definition, Object.keys(data));
  const keyed = isNetworkMap(network) ? keyedSections(network, observation_space) : null;
  const seedOf = (name: string): number | null | undefined =>
    keyed ? keyed.get(name.slice(name.indexOf(".") + 1))?.section.random_seed : context.network.random_seed;
  const networks: Record<string, NetworkState> = {};
  for (const [name, networkData] of Object.entries(data)) {
    const online = algorithm.targets[name];
    if (online) networks[name] = copyOf(networks[online] as NetworkState);
    else if (given[name]) networks[name] = copyOf(given[name]);
    else
      networks[name] = {
        data: networkData,
        tensors: initNetwork(networkData, {
          seed: seedOf(name) ?? seed,
          stream: `init.${name}`,
          slot: index,
        }),
      };
  }
  const policy = networks[algorithm.policy];
  const parameters = {
    ...freshParameters(algorithm.parameters(context)),
    ...(policy ? algorithm.lastLayer?.fresh(policy, scalars) : {}),
  };
  const learnt = Object.keys(parameters).length === 0 ? {} : { parameters };
  const optimizers = Object.fromEntries(
    Object.entries(algorithm.optimizers).map(([name, definition]) => [
      name,
      freshOptimizer(definition, { networks, ...learnt }),
    ]),
  );
  return {
    algorithm: spec.name,
    index,
    parent: null,
    hyperparameters: scalars,
    networks,
    ...learnt,
    optimizers,
    ...(normalization && {
      normalization: freshNormalization(normalization, { observation_space, action_space }),
    }),
    fitness: [],
    steps: 0,
    learn_credit: 0,
    mut: "None",
  };
}
