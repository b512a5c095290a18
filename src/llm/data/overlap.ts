import type { Example } from "./examples.ts";

/**
 * Warns of held-out rows that are training rows too, which evaluations would find too good.
 * @param keysOf Keys of a row, coarse to fine; the next one is read only for rows that share the one before.
 */
export function warnOfOverlap<T>(
  { train, test }: { readonly train: readonly T[]; readonly test: readonly T[] },
  keysOf: readonly ((row: T) => string)[],
  place: string,
): void {
  let [both, held] = [train, test];
  for (const keyOf of keysOf) {
    const keys = new Set(held.map(keyOf));
    both = both.filter((row) => keys.has(keyOf(row)));
    const shared = new Set(both.map(keyOf));
    held = held.filter((row) => shared.has(keyOf(row)));
  }
  if (held.length > 0)
    console.warn(
      `rlkit: ${place}: ${held.length} of ${test.length} held-out rows are training rows too, so evaluations are too good; remove them from one of the two`,
    );
}

const idsOf = ({ prompt, answers }: Example): readonly Int32Array[] => [prompt, ...answers];

/** Keys of rows as a model reads them: lengths, then ids. */
export const EXAMPLE_KEYS: readonly ((example: Example) => string)[] = [
  (example) =>
    idsOf(example)
      .map((ids) => ids.length)
      .join(),
  (example) =>
    idsOf(example)
      .map((ids) => ids.join())
      .join("/"),
];
