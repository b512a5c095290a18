/** Objects that come and go, in a fixed number of slots: f32 [n, slots] for each property. */
import {
  add,
  and,
  cast,
  equal,
  less,
  max,
  mul,
  neg,
  reshape,
  select,
  sum,
  type Tensor,
} from "../../../../kernels/index.ts";
import { type Board, flag, lanesOf, SIDE } from "./board.ts";
import { beside, columnBit } from "./rowBits.ts";

function slotsOf(x: Tensor): number {
  const slots = x.shape[1];
  if (typeof slots !== "number") throw new RangeError("MinAtar: slots must be a known number");
  return slots;
}

/** Marks the first slot of each lane for which the condition holds, if any, bool [n, slots]. */
export function firstSlot(board: Board, condition: Tensor): Tensor {
  const rank = select(condition, neg(board.numbers(slotsOf(condition))), -SIDE * SIDE);
  return and(condition, equal(rank, beside(max(rank))));
}

/** Offset between the cell numbers of consecutive kinds of objects; above all cell numbers. */
const CELLS = 256;

/** A unique number for each cell (x, y), including the columns just outside the grid. */
export const cellNumber = (x: Tensor, y: Tensor): Tensor => add(mul(y, 2 * SIDE), x);

/** Whether no earlier slot has the same cell, bool [n, slots]. `cells`: cell numbers. */
export function firstInCell(board: Board, cells: Tensor): Tensor {
  const [n, slots] = [lanesOf(cells), slotsOf(cells)];
  const same = and(equal(reshape(cells, [n, 1, slots]), beside(cells)), board.before(slots));
  return less(sum(flag(same)), 1);
}

/**
 * Row bits of the cells (x, y) of all shown slots, i32 [n, 10]. No two shown slots may have the same cell.
 */
export function rowBitsOf(board: Board, x: Tensor, y: Tensor, shown: Tensor): Tensor {
  const [n, slots] = [lanesOf(y), slotsOf(y)];
  const row = reshape(select(shown, y, -1), [n, 1, slots]);
  const bit = reshape(cast(columnBit(x), "f32"), [n, 1, slots]);
  return cast(sum(select(equal(row, reshape(board.numbers(SIDE), [SIDE, 1])), bit, 0)), "i32");
}

/**
 * Row bits of the cells (x, y) of objects, where several objects may share a cell.
 *
 * @param kinds A small number per slot that identifies its kind of object, or an empty slot.
 * @returns A function from shown slots, which must be of one kind, to row bits. `columns` replaces x; it must
 * be equal   for objects of one kind in the same cell.
 */
export function rowBitsByKind(
  board: Board,
  x: Tensor,
  y: Tensor,
  kinds: Tensor,
): (shown: Tensor, columns?: Tensor) => Tensor {
  const first = firstInCell(board, add(cellNumber(x, y), mul(kinds, CELLS)));
  return (shown, columns = x) => rowBitsOf(board, columns, y, and(first, shown));
}

/**
 * Finds the target that each bullet strikes: the one with the highest rank in the bullet's cell.
 *
 * @param targets Cell number of each target (-1 for no target), and a rank >= 0 that is unique in its lane.
 * @param bullets Cell number of each bullet; below -1 for no bullet.
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
