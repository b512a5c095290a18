import { machineMemory, memoryNeed } from "../../kernels/machineMemory.ts";
import {
  type AlgorithmName,
  type AlgoSpec,
  type AlgoSpecInput,
  algorithmDefinition,
  ownNetwork,
  parseAlgorithm,
} from "../../manifests/index.ts";
import type { NetworkSectionInput } from "../../rl/networks.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { memberSize } from "../member/memberSize.ts";
import { notTrained, type TrainedName } from "../member/registry.ts";
import { type AgentNamed, classNamed, type SupportedAgent } from "./agentClasses.ts";
import { type NewAgentOptions, requireSpaces } from "./agentOptions.ts";

export interface PopulationOptions extends Omit<NewAgentOptions, "index"> {
  /** Name of an algorithm, or its spec. */
  readonly algorithm: AlgorithmName | (string & {}) | AlgoSpecInput;
  readonly population_size: number;
  /** Network of the agents (default: the spec's `net_config`). */
  readonly net_config?: NetworkSectionInput | null;
  /** Number of parallel environments per agent, for algorithms whose spec has this field. */
  readonly num_envs?: number;
}

/** The spec of the algorithm with that name; fields with defaults may be left out. */
type NamedSpec<N extends TrainedName> = { readonly name: N } & AlgoSpecInput;

const NAMES: OptionNames<PopulationOptions> = {
  algorithm: true,
  observation_space: true,
  action_space: true,
  population_size: true,
  net_config: true,
  num_envs: true,
  hp_config: true,
  device: true,
  seed: true,
  actor_network: true,
  critic_network: true,
  critic_networks: true,
  normalize: true,
  reward_scale: true,
  reward_clip: true,
};

const EXAMPLE = '{ algorithm: "DQN", observation_space, action_space, population_size: 4 }';

/**
 * Creates agents with indices 0 .. population_size - 1 and different initial weights. If the caller supplies
 * the networks, the initial weights are the same.
 * @throws TypeError for unknown or missing options; SpecError for an unknown algorithm, invalid fields or
 *   unsupported spaces; RangeError for a population that does not fit in this machine's memory.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const pop = createPopulation({
 *   algorithm: { name: "DQN", lr: 0.001 },
 *   observation_space,
 *   action_space,
 *   population_size: 4,
 *   net_config: { encoder_config: { hidden_size: [64] } },
 * });
 * ```
 */
export function createPopulation<N extends TrainedName>(
  options: PopulationOptions & { readonly algorithm: N | NamedSpec<N> },
  ...positional: never[]
): AgentNamed<N>[];
export function createPopulation(options: PopulationOptions, ...positional: never[]): SupportedAgent[];
export function createPopulation(options: PopulationOptions, ...positional: never[]): SupportedAgent[] {
  checkNames("createPopulation", options, NAMES, { example: EXAMPLE, positional });
  const spaces = requireSpaces("createPopulation", options);
  const { algorithm, population_size, net_config, num_envs, ...context } = options;
  if (!Number.isInteger(population_size) || population_size < 1)
    throw new RangeError(`population_size: found ${population_size}, allowed positive integers`);
  const parsed = parseAlgorithm(algorithm);
  const { num_envs_field } = algorithmDefinition(parsed.name);
  const spec = parseAlgorithm({
    ...parsed,
    ...(net_config === undefined ? {} : { net_config }),
    ...(num_envs_field && num_envs !== undefined ? { [num_envs_field]: num_envs } : {}),
  } as AlgoSpecInput);
  requireMemory(spec, spaces, population_size);
  return Array.from({ length: population_size }, (_, index) =>
    makeAgent(spec, { ...context, ...spaces, index }),
  );
}

/**
 * @throws RangeError for a population that does not fit in this machine's memory. Checked before anything is
 *   allocated.
 */
function requireMemory(spec: AlgoSpec, spaces: AgentSpaces, population_size: number): void {
  const { held_bytes } = memberSize(spec, spaces, { network: ownNetwork(spec) });
  const most = Math.floor(machineMemory().bytes / held_bytes);
  if (population_size <= most) return;
  const fits = most > 0 ? `at most ${most} fits` : "give a smaller net_config";
  throw new RangeError(
    `population_size: found ${population_size}; ${memoryNeed(population_size * held_bytes)}; with the other settings as they are, ${fits}`,
  );
}

function makeAgent(spec: AlgoSpec, options: NewAgentOptions): SupportedAgent {
  const { name, ...fields } = spec;
  const Agent = classNamed(name);
  if (!Agent) throw notTrained(name);
  return new Agent({ ...fields, ...options });
}
