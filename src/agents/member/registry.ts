/** The registry of algorithms by name. */
import { algorithmDefinition, registerAlgorithmSpec } from "../../manifests/index.ts";
import { type Algorithm, evaluatedIn, requireHyperparameters, withFamilies } from "../../rl/contract.ts";
import { ALGORITHMS, fittedQ } from "../../rl/definitions.ts";
import { SpecError } from "../../specs/checks.ts";
import { unsupportedMessage } from "../../specs/messages.ts";
import type { AgentState } from "./agentState.ts";

/** Name of a built-in algorithm. */
export type TrainedName = (typeof ALGORITHMS)[number]["name"];

/** The type of the built-in algorithm named `N`. */
export type TrainedNamed<N extends TrainedName> = Extract<(typeof ALGORITHMS)[number], { readonly name: N }>;

/** Names of all algorithms that can be trained here, built-in and registered, in order. */
export const trainedNames = (): readonly string[] => [
  ...ALGORITHMS.map(({ name }) => name),
  ...registered.keys(),
];

const algorithms: readonly Algorithm[] = ALGORITHMS;
/** User-defined algorithms, by name. */
const registered = new Map<string, Algorithm>();

/**
 * Registers an algorithm in this thread, and its spec for manifests. Registering the same algorithm again has
 * no effect.
 * @throws Error when another algorithm already has the name.
 * @throws SpecError for the name of a hyperparameter that the spec lacks.
 *
 * @example
 * ```ts
 * declare const mine: Parameters<typeof registerAlgorithm>[0]; // what docs/extending/algorithm.md makes
 * registerAlgorithm(mine);
 * ```
 */
export function registerAlgorithm(algorithm: Algorithm): void {
  const { name } = algorithm;
  requireHyperparameters(algorithm);
  const known = trained(name);
  if (known && known !== algorithm)
    throw new Error(`algorithm "${name}" is already registered; choose another name`);
  registerAlgorithmSpec(algorithm.spec);
  registered.set(name, algorithm);
}

/** A user-defined algorithm; undefined if none is registered under the name. */
export const registeredAlgorithm = (name: string): Algorithm | undefined => registered.get(name);

const trained = (name: string): Algorithm | undefined =>
  algorithms.find((algorithm) => algorithm.name === name) ?? registered.get(name) ?? fitting(name);

/** What fits the values of another algorithm's policies; undefined for names of other kinds. */
function fitting(name: string): Algorithm | undefined {
  const own = evaluatedIn(name);
  const evaluated = own === null ? undefined : trained(own.evaluated);
  return own && evaluated?.kind === "off_policy" ? fittedQ(evaluated, own.fitted) : undefined;
}

/** @throws SpecError when the name is unknown, or this build cannot train the algorithm. */
export function findAlgorithm(name: string): Algorithm {
  const found = trained(name);
  if (found) return found;
  // Throws for names that the registry of specs does not know.
  const { language_model } = algorithmDefinition(name);
  throw language_model ? refused(name, ofLanguageModels(name)) : notTrained(name);
}

const ofLanguageModels = (name: string): string =>
  `algorithm "${name}" trains language models, not reinforcement learning agents; use new ${name}({ actor_network }), or a manifest with a model; reinforcement learning algorithms: ${trainedNames().join(", ")}`;

/** The error for an algorithm that has a spec but cannot be trained by this build. */
export function notTrained(name: string): SpecError {
  return refused(name, unsupportedMessage("algorithm", name, trainedNames()));
}

const refused = (found: string, message: string): SpecError =>
  new SpecError([
    { code: "unsupported", path: "algorithm.name", segments: ["algorithm", "name"], message, found },
  ]);

/**
 * An agent's algorithm, with its tables expanded to the agent's networks.
 * @throws SpecError like findAlgorithm.
 */
export const algorithmOf = ({ algorithm, networks }: Pick<AgentState, "algorithm" | "networks">): Algorithm =>
  withFamilies(findAlgorithm(algorithm), Object.keys(networks));

/** The agent reduced to its policy, which can act but not learn. */
export const policyOnly = (agent: AgentState): AgentState => reduced(agent, algorithmOf(agent).policies);

/** The agent reduced to what it needs to act, and to search in a game: its policy, and a state value if it has one. */
export function playerOnly(agent: AgentState): AgentState {
  const { kind, policies } = algorithmOf(agent);
  return reduced(agent, kind === "on_policy" ? Object.keys(agent.networks) : policies);
}

function reduced(agent: AgentState, kept: readonly string[]): AgentState {
  const { parameters: _own, ...others } = agent;
  const networks = Object.entries(agent.networks).filter(([name]) => kept.includes(name));
  return { ...others, networks: Object.fromEntries(networks), optimizers: {} };
}
