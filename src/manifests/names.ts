/** Names of algorithms, from their definitions. */
import type { z } from "zod";
import { LLM_DEFINITIONS } from "../llm/algorithms.ts";
import { RL_DEFINITIONS } from "../rl/definitions.ts";
import type { AlgorithmDefinition } from "../specs/algorithms.ts";

/** The algorithms of this build. */
export const DEFINITIONS: readonly [...typeof RL_DEFINITIONS, ...typeof LLM_DEFINITIONS] = [
  ...RL_DEFINITIONS,
  ...LLM_DEFINITIONS,
];

type Definitions = (typeof DEFINITIONS)[number];

/** Name of an algorithm that the specs support. */
export type AlgorithmName = Definitions["name"];

/** The definition of the algorithm of that name, with its fields and switches as types. */
export type DefinitionNamed<N extends AlgorithmName> = Extract<Definitions, { readonly name: N }>;

const definitions: readonly AlgorithmDefinition[] = DEFINITIONS;

/** The fields of its spec; defaults may be left out. */
export type SpecInputNamed<N extends AlgorithmName> = z.input<DefinitionNamed<N>["schema"]>;

/** Other accepted names, with the algorithm that each stands for. */
export const OTHER_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  definitions.flatMap(({ name, other_names }) => other_names.map((other) => [other, name])),
);

/** All names that manifests may use. */
export const KNOWN_ALGORITHMS: readonly string[] = definitions.flatMap(({ name, other_names }) => [
  name,
  ...other_names,
]);

/** The name under which an algorithm's spec is stored: both names of recurrent PPO map to PPO. */
export function canonicalName(name: unknown): unknown {
  return typeof name === "string" && Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
}

/** Algorithms registered by callers, by name. */
const registered = new Map<string, AlgorithmDefinition>();

/**
 * Makes an algorithm available to manifests in this thread. `defineAlgorithm` completes its definition. Code
 * that trains it must be registered too (`registerAlgorithm`, or a workload of its own). Registering it again
 * has no effect.
 *
 * @throws Error when another algorithm has the name.
 *
 * @example
 * ```ts
 * declare const mine: AlgorithmDefinition; // what `defineAlgorithm` makes
 * registerAlgorithmSpec(mine);
 * ```
 */
export function registerAlgorithmSpec(definition: AlgorithmDefinition): void {
  const { name } = definition;
  const known = findAlgorithm(name);
  if (known === definition) return;
  if (known || Object.hasOwn(OTHER_NAMES, name))
    throw new Error(`algorithm "${name}" is already registered; choose another name`);
  registered.set(name, definition);
}

/**
 * All known algorithms: this build's own, followed by those that callers registered.
 *
 * @example
 * ```ts
 * const trained = listAlgorithms().filter(({ runs }) => runs);
 * console.log(trained.map(({ name }) => name));
 * ```
 */
export const listAlgorithms = (): readonly AlgorithmDefinition[] => [...definitions, ...registered.values()];

/** An algorithm that a caller registered; `undefined` for any other name. */
export const registeredAlgorithm = (name: unknown): AlgorithmDefinition | undefined =>
  typeof name === "string" ? registered.get(name) : undefined;

/** The definition of an algorithm, or `undefined` for a name that is not known. */
export function findAlgorithm(name: unknown): AlgorithmDefinition | undefined {
  return definitions.find((algorithm) => algorithm.name === name) ?? registeredAlgorithm(name);
}

/** Names of the algorithms for which a switch is on, for messages. */
export const namesWith = (property: "prioritised" | "off_policy"): string =>
  definitions
    .filter((algorithm) => algorithm[property])
    .map(({ name }) => name)
    .join(", ");
