import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { KNOWN_ALGORITHMS } from "../knownNames.ts";
import { tagged } from "../taggedUnion.ts";
import { DQN_DEFINITION, DQNSpec } from "./DQNSpec.ts";
import type { AlgorithmDefinition } from "./defineAlgorithm.ts";
import { PPO_DEFINITION, PPOSpec } from "./PPOSpec.ts";

/** The algorithms of this build. A new one is a file beside DQNSpec.ts and a place in these two lists. */
export const ALGORITHMS: readonly AlgorithmDefinition[] = [DQN_DEFINITION, PPO_DEFINITION];

const byName = tagged(z.discriminatedUnion("name", [DQNSpec, PPOSpec]), {
  what: "algorithm",
  key: "name",
  tags: ALGORITHMS.map((algorithm) => algorithm.name),
  known: KNOWN_ALGORITHMS,
});

const RECURRENT_NAMES: readonly unknown[] = ["Recurrent PPO", "RecurrentPPO"];

/** The name under which an algorithm's spec is kept: both names of recurrent PPO are PPO. */
export function canonicalName(name: unknown): unknown {
  return RECURRENT_NAMES.includes(name) ? "PPO" : name;
}

/** Any algorithm spec of this build, told apart by `name`. */
export const AlgoSpec = z.preprocess((input: z.input<typeof byName>, context): unknown => {
  const raw: unknown = input;
  if (!isMapping(raw) || !RECURRENT_NAMES.includes(raw.name)) return raw;
  if (raw.recurrent === false) {
    context.addIssue({
      code: "custom",
      path: ["recurrent"],
      message: `found false; the name "${raw.name}" implies recurrent: true`,
    });
  }
  return { ...raw, name: canonicalName(raw.name), recurrent: true };
}, byName);
export type AlgoSpec = z.output<typeof AlgoSpec>;
export type AlgoSpecInput = z.input<typeof AlgoSpec>;
