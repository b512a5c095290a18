import { broadcastTo, equal, select, type Tensor } from "../../../kernels/index.ts";

/**
 * Looks up each index in a table that is known when the program is traced; indices beyond it get the last
 * entry.
 * `index`: integers as f32. Use it for short tables: it costs one selection per lane and entry that differs
 * from the last.
 */
export function pick(index: Tensor, table: readonly number[]): Tensor {
  const last = table.at(-1);
  if (last === undefined) throw new RangeError("pick: found an empty table, allowed one or more numbers");
  let found = broadcastTo(last, index.shape);
  for (const [place, value] of table.entries())
    if (value !== last) found = select(equal(index, place), value, found);
  return found;
}
