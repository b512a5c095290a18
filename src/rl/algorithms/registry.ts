/** The registry of algorithms by name. */

import { algorithmDefinition, SpecError } from "../../specs/index.ts";
import { unsupportedMessage } from "../../specs/messages.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { requireHyperparameters } from "../contract/hyperparameters.ts";
import { CQN } from "./CQN.ts";
import { DDPG } from "./DDPG.ts";
import { DQN } from "./DQN.ts";
import { IPPO } from "./IPPO.ts";
import { MADDPG } from "./MADDPG.ts";
import { MATD3 } from "./MATD3.ts";
import { NeuralTS } from "./NeuralTS.ts";
import { NeuralUCB } from "./NeuralUCB.ts";
import { PPO } from "./PPO.ts";
import { RainbowDQN } from "./RainbowDQN.ts";
import { SAC } from "./SAC.ts";
import { TD3 } from "./TD3.ts";

/** The built-in algorithms. To add one, create a file next to DQN.ts and add it to this list. */
export const ALGORITHMS = [
  DQN,
  RainbowDQN,
  DDPG,
  TD3,
  PPO,
  SAC,
  CQN,
  MADDPG,
  MATD3,
  IPPO,
  NeuralUCB,
  NeuralTS,
] as const;

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
 * Registers an algorithm in this thread. Register its spec under the same name first
 * (`registerAlgorithmSpec`). Registering the same algorithm again has no effect.
 * @throws Error when another algorithm already has the name.
 * @throws SpecError when no spec has the name, or for the name of a hyperparameter that the spec lacks.
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
  registered.set(name, algorithm);
}

/** A user-defined algorithm; undefined if none is registered under the name. */
export const registeredAlgorithm = (name: string): Algorithm | undefined => registered.get(name);

const trained = (name: string): Algorithm | undefined =>
  algorithms.find((algorithm) => algorithm.name === name) ?? registered.get(name);

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
