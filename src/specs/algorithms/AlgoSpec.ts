import { z } from "zod";
import { KNOWN_ALGORITHMS } from "../knownNames.ts";
import { tagged } from "../taggedUnion.ts";
import { DQN_DEFINITION, DQNSpec } from "./DQNSpec.ts";
import type { AlgorithmDefinition } from "./defineAlgorithm.ts";
import { PPO_DEFINITION, PPOSpec } from "./PPOSpec.ts";

/** The algorithms of this build. A new one is a file beside DQNSpec.ts and a place in these two lists. */
export const ALGORITHMS: readonly AlgorithmDefinition[] = [DQN_DEFINITION, PPO_DEFINITION];

/** Any algorithm spec of this build, told apart by `name`. */
export const AlgoSpec = tagged(z.discriminatedUnion("name", [DQNSpec, PPOSpec]), {
  what: "algorithm",
  key: "name",
  tags: ALGORITHMS.map((algorithm) => algorithm.name),
  known: KNOWN_ALGORITHMS,
});
export type AlgoSpec = z.output<typeof AlgoSpec>;
export type AlgoSpecInput = z.input<typeof AlgoSpec>;
