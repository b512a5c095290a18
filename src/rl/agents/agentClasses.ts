/** The classes of agents of all algorithms that this build trains. */
import { ALGORITHMS, type TrainedName, type TrainedNamed } from "../algorithms/registry.ts";
import {
  type AgentClass,
  type AgentOf,
  agentClass,
  type OptionsOf,
  type TypedDefinition,
} from "./agentClass.ts";
import type { AgentOptions } from "./agentOptions.ts";
import type { NamedAgents } from "./namedAgents.ts";
import type { OnPolicyAgent } from "./OnPolicyAgent.ts";

/** By name of the algorithm. */
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
/** Any agent that learns from a replay memory. */
export type SupportedOffPolicyAgent = Exclude<SupportedAgent, OnPolicyAgent>;

/** The class of agents of an algorithm; undefined where this build trains none of the name. */
export const classNamed = (
  name: string,
): (new (options: AgentOptions<object>) => SupportedAgent) | undefined =>
  Object.hasOwn(agentClasses, name)
    ? // Whoever asks by a string has fields that a schema checks.
      (agentClasses[name as TrainedName] as unknown as new (
        options: AgentOptions<object>,
      ) => SupportedAgent)
    : undefined;
