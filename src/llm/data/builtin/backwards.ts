import type { SplitRows } from "../split.ts";
import { splitRows } from "../split.ts";

const LETTERS = "abcdefgh";
const HELD_OUT = 256;

/**
 * Words of 4 out of 8 letters, to be written backwards: `{ prompt: "abcd>", response: "dcba" }`. 3,840
 * training rows and 256 held-out rows, split with a fixed seed.
 */
export function backwards(): SplitRows {
  const letters = Array.from(LETTERS);
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  const rows = pairs.flatMap((start) =>
    pairs.map((end) => {
      const word = start + end;
      const response = Array.from(word).reverse().join("");
      return { prompt: `${word}>`, response, answer: response };
    }),
  );
  return splitRows(rows, 1 - HELD_OUT / rows.length, 0);
}
