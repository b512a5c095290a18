/** The agent classes of all algorithms in this build. */

import type { DefinitionNamed } from "../../manifests/algorithms.ts";
import type { Algorithm } from "../../rl/contract.ts";
import type { AgentState } from "../member/agentState.ts";
import {
  registeredAlgorithm,
  type TrainedName,
  type TrainedNamed,
  trainedNames,
} from "../member/registry.ts";
import { loadStored } from "./ActingAgent.ts";
import { agentClass, type OptionsOf, type TypedDefinition } from "./agentClass.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import * as named from "./agents.ts";
import type { EvolutionAgent } from "./EvolutionAgent.ts";
import type { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import type { OffPolicyTeam } from "./OffPolicyAgent.ts";
import type { OnPolicyAgent } from "./OnPolicyAgent.ts";

type Named = typeof named;

/**
 * Agent classes by name of the algorithm.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new agentClasses.TD3({ observation_space, action_space });
 * ```
 */
export const agentClasses: { readonly [N in TrainedName]: Named[N] } = named;

/** Inferred, because the type of that property of any class is too complex for the compiler. */
type Prototypes = {
  readonly [N in TrainedName]: Named[N] extends { readonly prototype: infer Agent } ? Agent : never;
};

/** An agent of the algorithm with that name. */
export type AgentNamed<N extends TrainedName> = Prototypes[N];
/** Options of an agent's constructor: fields of its spec, or a whole state. */
export type AgentOptionsNamed<N extends TrainedName> = OptionsOf<TrainedNamed<N>>;

/** Any agent of this build. */
export type SupportedAgent = AgentNamed<TrainedName>;
/** Names of the algorithms for which a switch of the specs is on. */
type NamesWith<Switch extends "offline" | "bandit"> = {
  [N in TrainedName]: DefinitionNamed<N>[Switch] extends true ? N : never;
}[TrainedName];
/** Any agent that learns from a data set. */
export type SupportedOfflineAgent = AgentNamed<NamesWith<"offline">>;
/** Any contextual bandit. */
export type SupportedBandit = AgentNamed<NamesWith<"bandit">>;
/** Any single agent that learns from a replay buffer while it acts. */
export type SupportedOffPolicyAgent = Exclude<
  SupportedAgent,
  OnPolicyAgent | EvolutionAgent | MultiAgentAlgorithm | SupportedOfflineAgent | SupportedBandit
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

/** Creates an agent from its state. @throws RangeError for an algorithm that is not in this build. */
export function agentFromState(state: AgentState, context: AgentContext): SupportedAgent {
  const Agent = classNamed(state.algorithm);
  if (Agent) return new Agent({ ...context, state });
  throw new RangeError(`state.algorithm: found "${state.algorithm}", allowed ${trainedNames().join(", ")}`);
}

/** Creates a population from its members' states. */
export const agentsFromStates = (states: readonly AgentState[], context: AgentContext): SupportedAgent[] =>
  states.map((state) => agentFromState(state, context));

/** Loads an agent of any algorithm from a file. @throws StorageError from the store. */
export async function loadAgent(path: string, context: Partial<AgentContext> = {}): Promise<SupportedAgent> {
  const { state, ...spaces } = await loadStored(path, context);
  return agentFromState(state, { ...spaces, ...context });
}
