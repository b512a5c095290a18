/** Splits batches: rows in any order, and passes over a few rows at a time. */
import type { Sequences } from "./Policy.ts";

/** Selected rows of a row-major array with `width` numbers per row, in the order of `rows`. */
export function takeRows<A extends Float32Array | Int32Array>(
  values: A,
  width: number,
  rows: readonly number[],
): A {
  const taken = values.slice(0, rows.length * width) as A;
  rows.forEach((row, i) => taken.set(values.subarray(row * width, (row + 1) * width), i * width));
  return taken;
}

export const rowsOf = (
  { length, input_ids, attention_mask }: Sequences,
  rows: readonly number[],
): Sequences => ({
  rows: rows.length,
  length,
  input_ids: takeRows(input_ids, length, rows),
  attention_mask: takeRows(attention_mask, length, rows),
});

/** `count` rounded up to a power of two. */
export const powerOfTwo = (count: number): number => 2 ** (32 - Math.clz32(count - 1));

/** Upper bound on the numbers in a pass: 64 MB. */
const PASS_NUMBERS = 16 * 2 ** 20;

/**
 * Runs a pass over all rows, a few at a time, and joins the results.
 * @param needed Numbers per row that a pass holds in memory.
 * @param given Numbers per row in its result.
 */
export async function inPasses(
  sequences: Sequences,
  { needed, given }: { readonly needed: number; readonly given: number },
  pass: (part: Sequences) => Promise<Float32Array>,
): Promise<Float32Array> {
  const all = new Float32Array(sequences.rows * given);
  const size = Math.max(1, Math.floor(PASS_NUMBERS / Math.max(1, needed)));
  for (let from = 0; from < sequences.rows; from += size) {
    const rows = Array.from({ length: Math.min(size, sequences.rows - from) }, (_, i) => from + i);
    all.set(await pass(rowsOf(sequences, rows)), from * given);
  }
  return all;
}
