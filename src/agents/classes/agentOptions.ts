/** Options of agent constructors. */
import { HyperparameterConfig } from "../../evolution/index.ts";
import type { DeviceOption } from "../../kernels/devices.ts";
import {
  type AlgoSpec,
  type AlgoSpecInput,
  algorithmDefinition,
  algorithmFields,
  defaultHpRanges,
  ownNetwork,
  parseAlgorithm,
} from "../../manifests/index.ts";
import type { EvolvableModule } from "../../rl/networks.ts";
import {
  type AgentSpaces,
  Agents,
  Box,
  Dict,
  Discrete,
  MultiBinary,
  MultiDiscrete,
  type SingleAgentSpace,
  type Space,
  Tuple,
} from "../../rl/spaces.ts";
import { parseSpec, requireOptions } from "../../specs/checks.ts";
import { show } from "../../specs/messages.ts";
import { type NormalizeSpec, ShapingSpec } from "../../specs/sections.ts";
import type { AgentState } from "../member/agentState.ts";
import { createAgent, normalizationOf } from "../member/createAgent.ts";
import { givenNetworks } from "../member/givenNetworks.ts";
import { requireOwnSpaces } from "../member/stateFit.ts";

const SPACES = { Agents, Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple } as const;

/** An observation or action space, or the spaces of several agents by id, as in a parallel environment. */
export type SpaceOption = Space | Readonly<Record<string, SingleAgentSpace>>;

const isSpace = (value: unknown): value is Space =>
  Object.values(SPACES).some((space) => value instanceof space);

/** Whether the value is a record of spaces by agent. */
const areSpaces = (value: unknown): value is Readonly<Record<string, SingleAgentSpace>> =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(isSpace);

function spaceOf(what: string, name: "observation_space" | "action_space", given: unknown): Space {
  if (isSpace(given)) return given;
  if (areSpaces(given)) return new Agents(given);
  throw new TypeError(
    `${what}: ${name}: found ${show(given)}, allowed a space (${Object.keys(SPACES).join(", ")}), or those of several agents by id; an environment has it as ${name}, one of several agents as ${name}s, lanes as single_${name}`,
  );
}

/**
 * The spaces of an agent, with spaces by id converted to `Agents`.
 * @throws TypeError naming the space that is missing or invalid; RangeError naming the agent whose id or
 *   space is invalid.
 */
export const requireSpaces = (
  what: string,
  options: { readonly observation_space?: unknown; readonly action_space?: unknown },
): AgentSpaces => ({
  observation_space: spaceOf(what, "observation_space", options.observation_space),
  action_space: spaceOf(what, "action_space", options.action_space),
});

/** The properties of an agent other than its state. */
export interface AgentContext {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Hyperparameters that may mutate (default: ranges around the agent's own values; `null`: none). */
  readonly hp_config?: HyperparameterConfig | null;
  /** Device of the agent (default: "cpu", which has the alias "wasm"). */
  readonly device?: DeviceOption;
  /** Seed of initial weights, and of exploration outside training functions (default: 42). */
  readonly seed?: number;
}

export interface NewAgentOptions extends Omit<AgentContext, "observation_space" | "action_space"> {
  /**
   * For several agents: an `Agents` space, or their spaces by id, as in `observation_spaces` of a parallel
   * environment.
   */
  readonly observation_space: SpaceOption;
  /** Likewise, for the same agents in the same order. */
  readonly action_space: SpaceOption;
  /** Running normalisation, with the fields of `environment.normalize` in manifests (default: none). */
  readonly normalize?: Partial<NormalizeSpec> | null;
  /** Factor on the rewards that the agent learns from (default: 1). */
  readonly reward_scale?: number;
  /** What they are then cut to: a limit for both signs, or the lowest and the highest value (default: no limit). */
  readonly reward_clip?: number | readonly [low: number, high: number] | null;
  /** Identity (default: 0). Agents with the same seed but different indices have different weights. */
  readonly index?: number;
  /**
   * Network from observation to actions, which replaces the one described by `net_config`. For RainbowDQN it
   * must return `num_atoms` logits of the return of each action, one action after another, and it explores
   * only if its weights are noisy.
   */
  readonly actor_network?: EvolvableModule | null;
  /** Network from observation to its value. */
  readonly critic_network?: EvolvableModule | null;
  /** All critics of an algorithm that has several. */
  readonly critic_networks?: readonly EvolvableModule[] | null;
}

export interface RestoredAgentOptions extends AgentContext {
  /**
   * State of an existing agent: weights, optimisers, hyperparameters, history. The spaces must be those that
   * it was made for.
   */
  readonly state: AgentState;
}

/** Options of an agent's constructor: fields of its spec, or a whole state. */
export type AgentOptions<Fields> =
  | (NewAgentOptions & Fields & { readonly state?: undefined })
  | RestoredAgentOptions;

/** Default mutation ranges of the hyperparameters. */
export const defaultHpConfig = (spec: AlgoSpec): HyperparameterConfig =>
  HyperparameterConfig.fromSelection(defaultHpRanges(spec), algorithmFields(spec.name));

/**
 * An agent's initial state, with its hyperparameter ranges and spaces.
 * @throws SpecError for invalid fields; RangeError or TypeError for a state or an `hp_config` that does not
 *   fit.
 * @internal
 */
export function stateOf(
  algorithm: string,
  options: AgentOptions<object>,
): { state: AgentState; hp_config: HyperparameterConfig | null; layout: AgentSpaces } {
  requireOptions(algorithm, options, { example: "{ observation_space, action_space }" });
  const layout = requireSpaces(algorithm, options);
  const {
    observation_space: _observed,
    action_space: _acted,
    hp_config,
    device: _device,
    seed = 42,
    ...rest
  } = options;
  if (rest.state !== undefined) {
    const { state, ...unknown } = rest;
    const [extra] = Object.keys(unknown);
    if (extra !== undefined)
      throw new RangeError(`${algorithm}.${extra}: not allowed beside state, which has all of the agent`);
    if (state.algorithm !== algorithm)
      throw new RangeError(
        `${algorithm}.state: found the state of a ${state.algorithm} agent, allowed ${algorithm}`,
      );
    const given = hp_config?.check(state.hyperparameters, algorithmDefinition(algorithm)) ?? null;
    requireOwnSpaces(state, layout);
    const ranges = () => defaultHpConfig(parse(algorithm, state.hyperparameters));
    return { state, layout, hp_config: hp_config === undefined ? ranges() : given };
  }
  const { index = 0, actor_network, critic_network, critic_networks, state: _state, ...others } = rest;
  const { normalize = null, reward_scale = 1, reward_clip = null, ...fields } = others;
  if (
    algorithmDefinition(algorithm).bandit &&
    (normalize !== null || reward_scale !== 1 || reward_clip !== null)
  )
    throw new RangeError(
      `${algorithm}: found normalize, reward_scale or reward_clip, which bandits do not have; leave them out`,
    );
  const shaping = parseSpec(ShapingSpec, { normalize, reward_scale, reward_clip }, algorithm);
  const spec = parse(algorithm, { ...fields, ...startingValues(hp_config) });
  const network = ownNetwork(spec);
  const modules = {
    ...(actor_network ? { actor_network } : {}),
    ...(critic_network ? { critic_network } : {}),
    ...(critic_networks ? { critic_networks } : {}),
  };
  const state = createAgent({
    spec,
    ...layout,
    network,
    given: givenNetworks(spec, layout, modules, network),
    normalization: normalizationOf(shaping),
    index,
    seed,
  });
  const ranges = hp_config === undefined ? defaultHpConfig(spec) : hp_config;
  const checked = ranges?.check(state.hyperparameters, algorithmDefinition(algorithm)) ?? null;
  return { state, layout, hp_config: checked };
}

const parse = (name: string, fields: object): AlgoSpec =>
  parseAlgorithm({ ...fields, name } as AlgoSpecInput);

/** The initial values given in a config's parameters. */
export const startingValues = (hp_config: HyperparameterConfig | null | undefined): Record<string, number> =>
  Object.fromEntries(
    Object.entries(hp_config?.parameters ?? {}).flatMap(([name, { value }]) =>
      value === null ? [] : [[name, value]],
    ),
  );
