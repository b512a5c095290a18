/** Algorithms by name. */
import { algorithmDefinition } from "../../specs/index.ts";
import type { Algorithm } from "./algorithm.ts";
import { DQN } from "./DQN.ts";
import { PPO } from "./PPO.ts";

const ALGORITHMS: readonly Algorithm[] = [DQN, PPO];

/** @throws SpecError for a name that this build lacks. */
export function findAlgorithm(name: string): Algorithm {
  const found = ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found) return found;
  // The registry of specs explains unknown names; a known one without a runtime is a mistake of ours.
  algorithmDefinition(name);
  throw new Error(`algorithm ${name} has a specification and no implementation`);
}
