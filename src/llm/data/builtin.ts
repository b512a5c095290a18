/** Built-in data sets by id. */

import { Random } from "../../evolution/random.ts";
import { permutationOf } from "./rowOrder.ts";
import type { Row } from "./rows.ts";

/** Training rows and held-out rows. */
export interface SplitRows {
  readonly train: readonly Row[];
  readonly test: readonly Row[];
}

/**
 * Shuffles and splits rows; depends only on the arguments.
 *
 * @param share Fraction of training rows, 0 to 1. If there are at least two rows and the share is neither 0
 *   nor 1, each part has at least one row.
 * @internal
 */
export function splitRows(rows: readonly Row[], share: number, seed = 42): SplitRows {
  const order = permutationOf(rows.length, seed);
  const isCut = share > 0 && share < 1 && rows.length > 1;
  const rounded = Math.round(share * rows.length);
  const count = isCut ? Math.min(Math.max(rounded, 1), rows.length - 1) : rounded;
  const pick = (ids: Int32Array): Row[] =>
    Array.from(ids, (id) => rows[id]).filter((row) => row !== undefined);
  return { train: pick(order.subarray(0, count)), test: pick(order.subarray(count)) };
}

const LETTERS = "abcdefgh";
const HELD_OUT_WORDS = 256;

/**
 * Words of 4 out of 8 letters, to be written backwards: `{ prompt: "abcd>", response: "dcba" }`. 3,840
 * training rows and 256 held-out rows, split with a fixed seed.
 */
function backwards(): SplitRows {
  const letters = Array.from(LETTERS);
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  const rows = pairs.flatMap((start) =>
    pairs.map((end) => {
      const word = start + end;
      const response = Array.from(word).reverse().join("");
      return { prompt: `${word}>`, response, answer: response };
    }),
  );
  return splitRows(rows, 1 - HELD_OUT_WORDS / rows.length, 0);
}

const VERBS = ["bring", "fetch", "find", "move", "fix", "paint", "clean", "hold"];
const ADJECTIVES = ["red", "blue", "old", "new", "tall", "wide", "soft", "tiny"];
const NOUNS =
  "lamp chair box cup door bag hat rug pan vase bike ball coat desk fork gate kite map pen ring".split(" ");

/** Answers in which `#` stands for the requested thing. */
const POLITE = [
  "Gladly, one moment please.",
  "Of course, here it is.",
  "Sure, the # it is.",
  "With pleasure, my friend.",
  "Yes, thank you for asking.",
  "Happy to help you.",
];
const RUDE = [
  "No, go away.",
  "Do it yourself, fool.",
  "Who cares about a #?",
  "Stop bothering me now.",
  "Not my job, so shut up.",
  "What a dumb idea.",
];

const HELD_OUT_REQUESTS = 256;

/**
 * Pairs of answers to a request, with the polite one chosen: `{ prompt, chosen, rejected }` in printable
 * ASCII. Prompt and answer have at most 48 characters together. 1,024 training rows and 256 held-out
 * rows; every request occurs once.
 */
function polite(): SplitRows {
  const random = new Random({ seed: 0, stream: "rlkit/polite" });
  const rows = VERBS.flatMap((verb) =>
    ADJECTIVES.flatMap((adjective) =>
      NOUNS.map((noun) => {
        const answer = (from: readonly string[]) => random.choice(from).replace("#", noun);
        return {
          prompt: `${verb} the ${adjective} ${noun}>`,
          chosen: answer(POLITE),
          rejected: answer(RUDE),
        };
      }),
    ),
  );
  return splitRows(rows, 1 - HELD_OUT_REQUESTS / rows.length, 0);
}

const makers = new Map<string, () => SplitRows>([
  ["rlkit/backwards", backwards],
  ["rlkit/polite", polite],
]);

/** Ids of the built-in data sets. */
export const listDatasets = (): string[] => [...makers.keys()];

/** The rows of a built-in data set; `undefined` for other names. */
export const builtInDataset = (id: string): SplitRows | undefined => makers.get(id)?.();
