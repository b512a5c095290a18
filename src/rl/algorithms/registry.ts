/** Algorithms by name. */
import { unsupportedMessage } from "../../specs/explainName.ts";
import { algorithmDefinition, SpecError } from "../../specs/index.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { DDPG } from "./DDPG.ts";
import { DQN } from "./DQN.ts";
import { PPO } from "./PPO.ts";
import { RainbowDQN } from "./RainbowDQN.ts";
import { SAC } from "./SAC.ts";
import { TD3 } from "./TD3.ts";

/** The algorithms that this build trains. A new one is a file beside DQN.ts and its place in this list. */
export const ALGORITHMS = [DQN, RainbowDQN, DDPG, TD3, PPO, SAC] as const;

/** Name of an algorithm that this build trains. */
export type TrainedName = (typeof ALGORITHMS)[number]["name"];

/** The definition of the algorithm of that name, with its types. */
export type TrainedNamed<N extends TrainedName> = Extract<(typeof ALGORITHMS)[number], { readonly name: N }>;

/** The names, in order. */
export const TRAINED_NAMES: readonly string[] = ALGORITHMS.map(({ name }) => name);

const algorithms: readonly Algorithm[] = ALGORITHMS;

/** @throws SpecError for a name that is unknown, or whose algorithm this build does not train yet. */
export function findAlgorithm(name: string): Algorithm {
  const found = algorithms.find((algorithm) => algorithm.name === name);
  if (found) return found;
  // The registry of specs explains unknown names.
  algorithmDefinition(name);
  throw notTrained(name);
}

/** The error for an algorithm that validates and that this build does not train. */
export function notTrained(name: string): SpecError {
  const message = unsupportedMessage("algorithm", name, TRAINED_NAMES);
  return new SpecError([
    { code: "unsupported", path: "algorithm.name", segments: ["algorithm", "name"], message },
  ]);
}
