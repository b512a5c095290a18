/** The classes of agents of all algorithms that this build trains. */
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
 * By name of the algorithm.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new agentClasses.SAC({ observation_space, action_space });
 * ```
 */
export const agentClasses = Object.fromEntries(
  ALGORITHMS.map((definition: TypedDefinition) => [definition.name, agentClass(definition)]),
  // Each name's class was made from its own definition.
) as unknown as { readonly [N in TrainedName]: AgentClass<TrainedNamed<N>, AgentNamed<N>> };

/** An agent of the algorithm of that name. */
export type AgentNamed<N extends TrainedName> = {
  [M in N]: M extends keyof NamedAgents ? NamedAgents[M] : AgentOf<TrainedNamed<M>>;
}[N];
/** Options of its constructor: fields of its spec, or a whole state. */
export type AgentOptionsNamed<N extends TrainedName> = OptionsOf<TrainedNamed<N>>;

/** Any agent of this build. */
export type SupportedAgent = AgentNamed<TrainedName>;
/** Any agent that learns from a data set. */
export type SupportedOfflineAgent = AgentNamed<"CQN">;
/** Any agent that chooses among arms. */
export type SupportedBandit = AgentNamed<"NeuralUCB"> | AgentNamed<"NeuralTS">;
/** Any agent that learns from a replay memory while it acts. */
export type SupportedOffPolicyAgent = Exclude<
  SupportedAgent,
  OnPolicyAgent | MultiAgentAlgorithm | SupportedOfflineAgent | SupportedBandit
>;
/** Any agent that plays several and learns from a replay memory. */
export type SupportedOffPolicyTeam = Extract<SupportedAgent, OffPolicyTeam>;

type AnyAgentClass = new (options: AgentOptions<object>) => SupportedAgent;

/** Classes of algorithms that callers registered. */
const ofRegistered = new WeakMap<Algorithm, AnyAgentClass>();

/** The class of agents of an algorithm; undefined where none of the name is trained here. */
export function classNamed(name: string): AnyAgentClass | undefined {
  // Whoever asks by a string has fields that a schema checks.
  if (Object.hasOwn(agentClasses, name)) return agentClasses[name as TrainedName] as unknown as AnyAgentClass;
  const algorithm = registeredAlgorithm(name);
  if (!algorithm) return undefined;
  const known = ofRegistered.get(algorithm);
  if (known) return known;
  // A registered definition has the parts that its kind asks for; only their types are not known.
  const made = agentClass(algorithm as TypedDefinition) as unknown as AnyAgentClass;
  ofRegistered.set(algorithm, made);
  return made;
}
