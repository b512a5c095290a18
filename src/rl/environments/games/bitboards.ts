/**
 * Boards as bits: operations on whole boards are a few on each word. Cells are row by row, and an empty bit follows each
 * row, so that nothing moves from one row into the next.
 */
import {
  add,
  and,
  bitAnd,
  bitOr,
  cast,
  type Dim,
  floor,
  greater,
  greaterEqual,
  iota,
  less,
  mul,
  reshape,
  select,
  shiftLeft,
  shiftRight,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { type GridSize, powerOfTwo } from "../dynamics/numbers.ts";

/** Words of a board, i32 [n] each, the first cells in the lowest bits of the first word. */
export type Bits = readonly Tensor[];

/** Bits in a word: f32 has every sum of them exactly. */
const WORD = 24;
const FULL = (1 << WORD) - 1;

/** Distance from a cell to the one below. */
export const strideOf = ({ cols }: GridSize): number => cols + 1;

/** The bit of each cell in each word, or 0 where it lies in another word: i32 [rows * cols]. */
function cellBits(grid: GridSize): Tensor[] {
  const cell = cast(iota(grid.rows * grid.cols), "f32");
  // Each row has one bit more than cells.
  const place = cast(add(cell, floor(mul(add(cell, 0.5), 1 / grid.cols))), "i32");
  return Array.from({ length: Math.ceil((grid.rows * strideOf(grid)) / WORD) }, (_, word) => {
    const own = sub(place, word * WORD);
    return select(and(greaterEqual(own, 0), less(own, WORD)), powerOfTwo(own, 5), zeros(own.shape, "i32"));
  });
}

/** @param cells 1 or 0, f32 [n, rows * cols]. */
export const packed = (cells: Tensor, grid: GridSize): Bits =>
  cellBits(grid).map((bit) => cast(sum(mul(cells, cast(bit, "f32"))), "i32"));

/** Whether the bit of each cell is set, bool [n, rows * cols]. */
export function unpacked(bits: Bits, grid: GridSize): Tensor {
  const set = cellBits(grid).map((bit, i) =>
    bitAnd(reshape(bits[i] as Tensor, [bits[i]?.shape[0] as Dim, 1]), bit),
  );
  return greater(set.reduce(bitOr), 0);
}

const combined = (combine: (a: Tensor, b: Tensor) => Tensor) => (a: Bits, b: Bits) =>
  a.map((word, i) => combine(word, b[i] as Tensor));

/** Cells that are in both. */
export const both = combined(bitAnd);
/** Cells that are in at least one. */
export const either = combined(bitOr);

/** All cells moved by a number of bits: up to later cells, or down if `by` is negative. */
export function shifted(bits: Bits, by: number): Bits {
  const words = Math.floor(by / WORD);
  const up = by - words * WORD;
  return bits.map((like, i) => {
    const [near, far] = [bits[i - words], bits[i - words - 1]];
    const parts = [
      ...(near ? [up === 0 ? near : bitAnd(shiftLeft(near, up), FULL)] : []),
      ...(far && up > 0 ? [shiftRight(far, WORD - up)] : []),
    ];
    return parts.length > 0 ? parts.reduce(bitOr) : zeros(like.shape, "i32");
  });
}

/** Whether any cell is set, bool [n]. */
export const isAny = (bits: Bits): Tensor => greater(bits.reduce(bitOr), 0);

/** Cells where a condition holds, none elsewhere. @param condition bool [n]. */
export const where = (condition: Tensor, bits: Bits): Bits => bits.map((word) => select(condition, word, 0));

/** Steps to the eight neighbours of a cell, for {@link shifted}. */
export const compass = (grid: GridSize): readonly number[] => {
  const stride = strideOf(grid);
  return [1, stride - 1, stride, stride + 1].flatMap((step) => [step, -step]);
};
