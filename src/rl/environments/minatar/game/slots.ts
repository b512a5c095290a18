/** Things that come and go, held in a fixed number of slots: one number per slot for each property, f32 [n, slots]. */
import type { Tensor } from "../../../../kernels/index.ts";
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
} from "../../../../kernels/index.ts";
import { flag, lanesOf } from "./arithmetic.ts";
import type { Board } from "./Board.ts";
import { beside, columnBit, SIDE } from "./rowBits.ts";

function slotsOf(x: Tensor): number {
  const slots = x.shape[1];
  if (typeof slots !== "number") throw new RangeError("MinAtar: slots must be a known number");
  return slots;
}

/** The first slot of each lane for which the condition holds, bool [n, slots]; none where it holds for none. */
export function firstSlot(board: Board, condition: Tensor): Tensor {
  const rank = select(condition, neg(board.numbers(slotsOf(condition))), -SIDE * SIDE);
  return and(condition, equal(rank, beside(max(rank))));
}

/** Cell numbers of one kind of things lie below those of the next. */
const CELLS = 256;

/** Numbers of the cells (x, y), equal for equal cells of one kind; the columns just outside the grid have their own. */
export const cellNumber = (x: Tensor, y: Tensor): Tensor => add(mul(y, 2 * SIDE), x);

/** Whether no slot before it is of the same cell, bool [n, slots]. `cells`: cell numbers. */
export function firstInCell(board: Board, cells: Tensor): Tensor {
  const [n, slots] = [lanesOf(cells), slotsOf(cells)];
  const same = and(equal(reshape(cells, [n, 1, slots]), beside(cells)), board.before(slots));
  return less(sum(flag(same)), 1);
}

/** Row bits of a cell (x, y) for each shown slot, i32 [n, 10]. Of those shown no two may be of one cell. */
export function rowBitsOf(board: Board, x: Tensor, y: Tensor, shown: Tensor): Tensor {
  const [n, slots] = [lanesOf(y), slotsOf(y)];
  const row = reshape(select(shown, y, -1), [n, 1, slots]);
  const bit = reshape(cast(columnBit(x), "f32"), [n, 1, slots]);
  return cast(sum(select(equal(row, reshape(board.numbers(SIDE), [SIDE, 1])), bit, 0)), "i32");
}

/**
 * Row bits of the cells (x, y) of things, in which several may be.
 *
 * @param kinds A small number for each slot's kind of thing, or for none.
 * @returns Row bits of those shown, which must be of one kind: of their cells, or of cells in other columns of their
 *   rows where things of one kind and cell have them alike.
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
