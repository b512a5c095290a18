/** Algorithms by name. */
import { unsupportedMessage } from "../../specs/explainName.ts";
import { algorithmDefinition, SpecError } from "../../specs/index.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { DDPG } from "./DDPG.ts";
import { DQN } from "./DQN.ts";
import { PPO } from "./PPO.ts";
import { RainbowDQN } from "./RainbowDQN.ts";
import { TD3 } from "./TD3.ts";

const ALGORITHMS: readonly Algorithm[] = [DQN, RainbowDQN, DDPG, TD3, PPO];

/** @throws SpecError for a name that is unknown, or whose algorithm this build does not train yet. */
export function findAlgorithm(name: string): Algorithm {
  const found = ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found) return found;
  // The registry of specs explains unknown names.
  algorithmDefinition(name);
  throw notTrained(name);
}

/** The error for an algorithm that validates and that this build does not train. */
export function notTrained(name: string): SpecError {
  const trained = ALGORITHMS.map((algorithm) => algorithm.name);
  const message = unsupportedMessage("algorithm", name, trained);
  return new SpecError([
    { code: "unsupported", path: "algorithm.name", segments: ["algorithm", "name"], message },
  ]);
}
