/** Things that come and go, held in a fixed number of slots: one number per slot for each property, f32 [n, slots]. */
import type { Dim, Tensor } from "../../../kernels/index.ts";
import {
  add,
  and,
  cast,
  equal,
  iota,
  less,
  max,
  mul,
  neg,
  reshape,
  select,
  sum,
} from "../../../kernels/index.ts";
import { flag, lanesOf } from "./arithmetic.ts";
import { beside, columnBit, rowNumbers, SIDE } from "./rowBits.ts";

const slotsOf = (x: Tensor): Dim => x.shape[1] as Dim;

/** Slot numbers, f32 [slots]. */
export const slotNumbers = (x: Tensor): Tensor => cast(iota(slotsOf(x)), "f32");

/** The first slot of each lane for which the condition holds, bool [n, slots]; none where it holds for none. */
export function firstSlot(condition: Tensor): Tensor {
  const rank = select(condition, neg(slotNumbers(condition)), -SIDE * SIDE);
  return and(condition, equal(rank, beside(max(rank))));
}

/** Cell numbers of one kind of things lie below those of the next. */
const CELLS = 256;

/** Numbers of the cells (x, y), equal for equal cells of one kind; the columns just outside the grid have their own. */
export const cellNumber = (x: Tensor, y: Tensor): Tensor => add(mul(y, 2 * SIDE), x);

/** Whether no slot before it is of the same cell, bool [n, slots]. `cells`: cell numbers. */
export function firstInCell(cells: Tensor): Tensor {
  const [n, slots] = [lanesOf(cells), slotsOf(cells)];
  const before = less(iota(slots), reshape(iota(slots), [slots, 1]));
  const same = and(equal(reshape(cells, [n, 1, slots]), beside(cells)), before);
  return less(sum(flag(same)), 1);
}

/** Row bits of a cell (x, y) for each shown slot, i32 [n, 10]. Of those shown no two may be of one cell. */
export function rowBitsOf(x: Tensor, y: Tensor, shown: Tensor): Tensor {
  const [n, slots] = [lanesOf(y), slotsOf(y)];
  const row = reshape(select(shown, y, -1), [n, 1, slots]);
  const bit = reshape(cast(columnBit(x), "f32"), [n, 1, slots]);
  return cast(sum(select(equal(row, reshape(rowNumbers(), [SIDE, 1])), bit, 0)), "i32");
}

/**
 * Row bits of the cells (x, y) of things, in which several may be.
 *
 * @param kinds A small number for each slot's kind of thing, or for none.
 * @returns Row bits of those shown, which must be of one kind: of their cells, or of cells in other columns of their
 *   rows where things of one kind and cell have them alike.
 */
export function rowBitsByKind(
  x: Tensor,
  y: Tensor,
  kinds: Tensor,
): (shown: Tensor, columns?: Tensor) => Tensor {
  const first = firstInCell(add(cellNumber(x, y), mul(kinds, CELLS)));
  return (shown, columns = x) => rowBitsOf(columns, y, and(first, shown));
}

/**
 * Who is struck by each of a few bullets: of the targets in the bullet's cell the one of the highest rank.
 *
 * @param targets Cell number of each target, and a rank >= 0 that no two of one lane share; -1 for no target.
 * @param bullets Cell number of each bullet, below -1 for none.
 * @returns Struck targets, bool [n, targets], and spent bullets, bool [n, bullets].
 */
export function strikes(
  targets: { readonly cells: Tensor; readonly rank: Tensor },
  bullets: Tensor,
): { readonly struck: Tensor; readonly spent: Tensor } {
  const n = lanesOf(bullets);
  const across = (x: Tensor): Tensor => reshape(x, [n, 1, slotsOf(x)]);
  const inCell = equal(across(targets.cells), beside(bullets));
  const rank = select(inCell, across(targets.rank), -1);
  const best = max(rank);
  const chosen = and(equal(rank, beside(best)), less(-1, rank));
  return { struck: less(0, sum(flag(chosen), 1)), spent: less(-1, best) };
}
