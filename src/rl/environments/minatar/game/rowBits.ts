/**
 * Grids of 10 by 10 cells stored as 10 numbers, one per row: bit c is set if column c is occupied. f32
 * represents these numbers exactly, and a whole row is shifted, combined or tested in one operation.
 */
import {
  add,
  and,
  bitAnd,
  cast,
  concat,
  equal,
  greater,
  greaterEqual,
  less,
  reshape,
  select,
  shiftLeft,
  shiftRight,
  slice,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { powerOfTwo } from "../../dynamics/numbers.ts";
import { type Board, lanesOf, SIDE } from "./board.ts";

/** A row whose every cell is occupied. */
export const FULL_ROW = (1 << SIDE) - 1;

/** Appends an axis of length 1, so that a value per lane broadcasts over the lane's row. */
export const beside = (x: Tensor): Tensor => reshape(x, [...x.shape, 1]);

/** The bit of a column, i32; 0 for a column just outside the grid (-1 or 10). `x`: f32 integers. */
export const columnBit = (x: Tensor): Tensor => bitAnd(powerOfTwo(cast(x, "i32"), 4), FULL_ROW);

/** `bits` (i32 [n]) in row `y` (f32 [n]) and 0 elsewhere, i32 [n, 10]. */
export const inRow = (board: Board, y: Tensor, bits: Tensor): Tensor =>
  select(equal(board.numbers(SIDE), beside(y)), beside(bits), 0);

/** Row bits of the cell (x, y), i32 [n, 10]; all 0 if x is just outside the grid. */
export const cell = (board: Board, x: Tensor, y: Tensor): Tensor => inRow(board, y, columnBit(x));

/** Pads numbers of the rows 1 to 8 with 0 for the top and the bottom row: f32 [n, 8] -> [n, 10]. */
export function middleRows(values: Tensor): Tensor {
  const none = zeros([lanesOf(values), 1]);
  return concat([none, values, none]);
}

/** `bits` in every row from `first` up to, but not including, `end`, f32 [10]. */
export function block(board: Board, first: number, end: number, bits: number): Tensor {
  const rows = board.numbers(SIDE);
  return select(and(greaterEqual(rows, first), less(rows, end)), bits, zeros([SIDE]));
}

/** Whether any cell is occupied, bool [n]. `grid`: i32 or f32 [n, 10]. */
export const any = (grid: Tensor): Tensor => greater(sum(cast(grid, "f32")), 0);

/** Number of occupied cells in each row, i32 [n, 10]. `grid`: i32 [n, 10]. */
export function occupied(grid: Tensor): Tensor {
  const pairs = sub(grid, bitAnd(shiftRight(grid, 1), 0x155));
  const fours = add(bitAnd(pairs, 0x333), bitAnd(shiftRight(pairs, 2), 0x333));
  return bitAnd(add(add(fours, shiftRight(fours, 4)), shiftRight(fours, 8)), 0xf);
}

/** Moves everything one row up; the top row leaves the grid. */
export const upward = (grid: Tensor): Tensor =>
  concat([slice(grid, 1, SIDE - 1), zeros([lanesOf(grid), 1], grid.dtype)]);

/** Moves everything one row down; the bottom row leaves the grid. */
export const downward = (grid: Tensor): Tensor =>
  concat([zeros([lanesOf(grid), 1], grid.dtype), slice(grid, 0, SIDE - 1)]);

/** Moves everything one row down; the bottom row becomes the top row. */
export const rolledDown = (grid: Tensor): Tensor =>
  concat([slice(grid, SIDE - 1, 1), slice(grid, 0, SIDE - 1)]);

/** Moves everything one column to the left; column 0 leaves the grid. `grid`: i32. */
export const leftward = (grid: Tensor): Tensor => shiftRight(grid, 1);

/** Moves everything one column to the right; column 9 leaves the grid. `grid`: i32. */
export const rightward = (grid: Tensor): Tensor => bitAnd(shiftLeft(grid, 1), FULL_ROW);
