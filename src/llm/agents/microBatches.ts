/** Rows of a batch, some at a time. */

import type { Random } from "../../evolution/random.ts";
import type { InputShape } from "../algorithms/contract.ts";
import type { Sequences } from "../engine/Policy.ts";

/** Rows of a row-major array with `width` numbers a row, in the order of `rows`. */
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

/** Numbers a row of an input has, S columns and K turns. */
export const widthOf = (shape: InputShape, columns: number, turns: number): number =>
  ({ row: 1, row_column: columns, row_turn: turns, row_turn_column: turns * columns })[shape];

/** 0 to `count` - 1 in parts of `size`, the last of which may be smaller; `shuffle` decides the order. */
export function microBatches(
  count: number,
  size: number,
  shuffle: Random | null,
): readonly (readonly number[])[] {
  const rows = Array.from({ length: count }, (_, i) => i);
  const order = shuffle ? shuffle.sample(rows, count) : rows;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => order.slice(i * size, (i + 1) * size));
}
