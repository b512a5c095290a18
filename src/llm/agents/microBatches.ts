/** A batch in micro-batches. */
import type { Random } from "../../evolution/random.ts";
import type { InputShape } from "../algorithms/contract.ts";

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
