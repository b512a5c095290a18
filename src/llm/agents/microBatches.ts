/** Splits a batch into micro-batches. */
import type { Random } from "../../evolution/random.ts";
import type { InputShape } from "../algorithms/contract.ts";

/** Numbers per row of an input, for S columns and K turns. */
export const widthOf = (shape: InputShape, columns: number, turns: number): number =>
  ({ row: 1, row_column: columns, row_turn: turns, row_turn_column: turns * columns })[shape];

/**
 * Splits 0 to `count` - 1 into parts of `size`, of which the last may be smaller;
 * `shuffle` determines the order.
 */
export function microBatches(
  count: number,
  size: number,
  shuffle: Random | null,
): readonly (readonly number[])[] {
  const rows = Array.from({ length: count }, (_, i) => i);
  const order = shuffle ? shuffle.sample(rows, count) : rows;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => order.slice(i * size, (i + 1) * size));
}
