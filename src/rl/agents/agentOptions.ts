/** What agents are made from. */
import { HyperparameterConfig } from "../../evolution/index.ts";
import type { DeviceOption } from "../../kernels/wasm/sharedDevice.ts";
import { requireOptions } from "../../specs/checkOptions.ts";
import {
  type AlgoSpec,
  type AlgoSpecInput,
  algorithmFields,
  defaultHpRanges,
  ownNetwork,
  parseAlgorithm,
} from "../../specs/index.ts";
import type { AgentState } from "../member/agentState.ts";
import { createAgent } from "../member/createAgent.ts";
import { givenNetworks } from "../member/givenNetworks.ts";
import { requireOwnSpaces } from "../member/stateFit.ts";
import type { EvolvableModule } from "../modules/index.ts";
import type { AgentSpaces, Space } from "../spaces/index.ts";
import { requireSpaces, type SpaceOption } from "./requireSpaces.ts";

/** What an agent has beside its state. */
export interface AgentContext {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Hyperparameters that may mutate; ranges around the agent's own values unless given, null for none. */
  readonly hp_config?: HyperparameterConfig | null;
  /** "cpu" or its alias "wasm" unless given. */
  readonly device?: DeviceOption;
  /** Of first weights and of exploration outside training functions; 42 unless given. */
  readonly seed?: number;
}

export interface NewAgentOptions extends Omit<AgentContext, "observation_space" | "action_space"> {
  /** Of several agents an `Agents` space, or their spaces by id: `observation_spaces` of a parallel environment. */
  readonly observation_space: SpaceOption;
  /** Likewise, for the same agents in the same order. */
  readonly action_space: SpaceOption;
  /** Identity; agents of one seed and different index have different weights. 0 unless given. */
  readonly index?: number;
  /**
   * From observation to actions, in place of the network that `net_config` describes. RainbowDQN's gives `num_atoms`
   * logits of each action's return, one action after another, and explores only where its weights are noisy.
   */
  readonly actor_network?: EvolvableModule | null;
  /** From observation to its value. */
  readonly critic_network?: EvolvableModule | null;
  /** The same for algorithms with several critics, all of them. */
  readonly critic_networks?: readonly EvolvableModule[] | null;
}

export interface RestoredAgentOptions extends AgentContext {
  /** An agent as it was: weights, optimisers, hyperparameters, history. The spaces must be those it was made for. */
  readonly state: AgentState;
}

/** Options of an agent's constructor: fields of its spec, or a whole state. */
export type AgentOptions<Fields> =
  | (NewAgentOptions & Fields & { readonly state?: undefined })
  | RestoredAgentOptions;

/** Ranges of the hyperparameters that mutate unless the caller says which. */
export const defaultHpConfig = (spec: AlgoSpec): HyperparameterConfig =>
  HyperparameterConfig.fromSelection(defaultHpRanges(spec), algorithmFields(spec.name));

/**
 * An agent's first state and what may mutate in it.
 * @throws SpecError for invalid fields; RangeError or TypeError for a state or an `hp_config` that does not fit.
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
    hp_config?.check(state.hyperparameters, algorithm);
    requireOwnSpaces(state, layout);
    const ranges = () => defaultHpConfig(parse(algorithm, state.hyperparameters));
    return { state, layout, hp_config: hp_config === undefined ? ranges() : hp_config };
  }
  const { index = 0, actor_network, critic_network, critic_networks, state: _state, ...fields } = rest;
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
    index,
    seed,
  });
  const ranges = hp_config === undefined ? defaultHpConfig(spec) : hp_config;
  ranges?.check(state.hyperparameters, algorithm);
  return { state, layout, hp_config: ranges };
}

const parse = (name: string, fields: object): AlgoSpec =>
  parseAlgorithm({ ...fields, name } as AlgoSpecInput);

/** Values that a config's parameters say to start from. */
export const startingValues = (hp_config: HyperparameterConfig | null | undefined): Record<string, number> =>
  Object.fromEntries(
    Object.entries(hp_config?.parameters ?? {}).flatMap(([name, { value }]) =>
      value === null ? [] : [[name, value]],
    ),
  );
