/** Algorithms by name. */
import { unsupportedMessage } from "../../specs/explainName.ts";
import { algorithmDefinition, SpecError } from "../../specs/index.ts";
import type { Algorithm } from "../contract/algorithm.ts";
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

/** The algorithms that this build trains. A new one is a file beside DQN.ts and its place in this list. */
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

/** Name of an algorithm that this build trains. */
export type TrainedName = (typeof ALGORITHMS)[number]["name"];

/** The definition of the algorithm of that name, with its types. */
export type TrainedNamed<N extends TrainedName> = Extract<(typeof ALGORITHMS)[number], { readonly name: N }>;

/** Names of all algorithms that are trained here, in order. */
export const trainedNames = (): readonly string[] => [
  ...ALGORITHMS.map(({ name }) => name),
  ...registered.keys(),
];

const algorithms: readonly Algorithm[] = ALGORITHMS;
/** Algorithms of the caller's own, by name. */
const registered = new Map<string, Algorithm>();

/**
 * Makes an algorithm known, in this thread. Its spec must be registered too, under the same name
 * (`registerAlgorithmSpec`). Registering it again changes nothing.
 * @throws Error when another algorithm has the name; SpecError when no spec has it.
 *
 * @example
 * ```ts
 * declare const mine: Parameters<typeof registerAlgorithm>[0]; // what docs/extending/algorithm.md makes
 * registerAlgorithm(mine);
 * ```
 */
export function registerAlgorithm(algorithm: Algorithm): void {
  const { name } = algorithm;
  algorithmDefinition(name);
  const known = trained(name);
  if (known && known !== algorithm)
    throw new Error(`algorithm "${name}" is registered already; give the new one another name`);
  registered.set(name, algorithm);
}

/** An algorithm that a caller registered; undefined for any other name. */
export const registeredAlgorithm = (name: string): Algorithm | undefined => registered.get(name);

const trained = (name: string): Algorithm | undefined =>
  algorithms.find((algorithm) => algorithm.name === name) ?? registered.get(name);

/** @throws SpecError for a name that is unknown, or whose algorithm this build does not train yet. */
export function findAlgorithm(name: string): Algorithm {
  const found = trained(name);
  if (found) return found;
  // The registry of specs explains unknown names.
  const { language_model } = algorithmDefinition(name);
  throw language_model ? refused(name, ofLanguageModels(name)) : notTrained(name);
}

const ofLanguageModels = (name: string): string =>
  `algorithm "${name}" trains language models, and agents of reinforcement learning were asked for; make new ${name}({ actor_network }), or train a manifest that names a model; here there are ${trainedNames().join(", ")}`;

/** The error for an algorithm that validates and that this build does not train. */
export function notTrained(name: string): SpecError {
  return refused(name, unsupportedMessage("algorithm", name, trainedNames()));
}

const refused = (found: string, message: string): SpecError =>
  new SpecError([
    { code: "unsupported", path: "algorithm.name", segments: ["algorithm", "name"], message, found },
  ]);
