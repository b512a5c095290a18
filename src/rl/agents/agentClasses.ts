/** The agent classes of all algorithms in this build. */
import {
  ALGORITHMS,
  registeredAlgorithm,
  type TrainedName,
  type TrainedNamed,
} from "../algorithms/registry.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import {
  type AgentClass,
  type AgentOf,
  agentClass,
  type OptionsOf,
  type TypedDefinition,
} from "./agentClass.ts";
import type { AgentOptions } from "./agentOptions.ts";
import type { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import type { NamedAgents } from "./namedAgents.ts";
import type { OffPolicyTeam } from "./OffPolicyTeam.ts";
import type { OnPolicyAgent } from "./OnPolicyAgent.ts";

/**
 * Agent classes by name of the algorithm.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new agentClasses.TD3({ observation_space, action_space });
 * ```
 */
export const agentClasses = Object.fromEntries(
  ALGORITHMS.map((definition: TypedDefinition) => [definition.name, agentClass(definition)]),
  // Each name's class was made from its own definition.
) as unknown as { readonly [N in TrainedName]: AgentClass<TrainedNamed<N>, AgentNamed<N>> };

/** An agent of the algorithm with that name. */
export type AgentNamed<N extends TrainedName> = {
  [M in N]: M extends keyof NamedAgents ? NamedAgents[M] : AgentOf<TrainedNamed<M>>;
}[N];
/** Options of an agent's constructor: fields of its spec, or a whole state. */
export type AgentOptionsNamed<N extends TrainedName> = OptionsOf<TrainedNamed<N>>;

/** Any agent of this build. */
export type SupportedAgent = AgentNamed<TrainedName>;
/** Any agent that learns from a data set. */
export type SupportedOfflineAgent = AgentNamed<"CQN">;
/** Any contextual bandit. */
export type SupportedBandit = AgentNamed<"NeuralUCB"> | AgentNamed<"NeuralTS">;
/** Any single agent that learns from a replay buffer while it acts. */
export type SupportedOffPolicyAgent = Exclude<
  SupportedAgent,
  OnPolicyAgent | MultiAgentAlgorithm | SupportedOfflineAgent | SupportedBandit
>;
/** Any team that learns from a replay buffer. */
export type SupportedOffPolicyTeam = Extract<SupportedAgent, OffPolicyTeam>;

type AnyAgentClass = new (options: AgentOptions<object>) => SupportedAgent;

/** Classes of algorithms that callers registered. */
const ofRegistered = new WeakMap<Algorithm, AnyAgentClass>();

/** The agent class of an algorithm; undefined if no algorithm has that name. */
export function classNamed(name: string): AnyAgentClass | undefined {
  // The fields of a caller that passes a plain string are checked by a schema.
  if (Object.hasOwn(agentClasses, name)) return agentClasses[name as TrainedName] as unknown as AnyAgentClass;
  const algorithm = registeredAlgorithm(name);
  if (!algorithm) return undefined;
  const known = ofRegistered.get(algorithm);
  if (known) return known;
  // A registered definition has the parts that its kind requires; only their types are unknown.
  const made = agentClass(algorithm as TypedDefinition) as unknown as AnyAgentClass;
  ofRegistered.set(algorithm, made);
  return made;
}
