import { broadcastTo, equal, select, type Tensor } from "../../../kernels/index.ts";

/**
 * The number that a table known when the program is traced holds at each index; the last one for indices beyond it.
 * `index`: f32, whole. Costs one selection per distinct entry and lane, so it is for short tables.
 */
export function pick(index: Tensor, table: readonly number[]): Tensor {
  const last = table.at(-1);
  if (last === undefined) throw new RangeError("pick: found an empty table, allowed one or more numbers");
  let found = broadcastTo(last, index.shape);
  for (const [place, value] of table.entries())
    if (value !== last) found = select(equal(index, place), value, found);
  return found;
}
