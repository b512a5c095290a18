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
