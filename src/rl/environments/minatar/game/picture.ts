import type { Tensor } from "../../../../kernels/index.ts";
import {
  add,
  bitAnd,
  bitOr,
  cast,
  equal,
  floor,
  mul,
  not,
  reshape,
  select,
  shiftLeft,
  sub,
} from "../../../../kernels/index.ts";
import { lanesOf } from "./arithmetic.ts";
import type { Board } from "./Board.ts";
import { beside, columnBit, SIDE } from "./rowBits.ts";

/** Channels whose row bits fit side by side into one 32-bit word. */
const PER_WORD = 3;

/**
 * The agent's observation: f32 [n, 10, 10, channels], 1 where a channel's cell is occupied, otherwise 0.
 *
 * The bits of each row are packed into a few words, and each number of the picture tests one bit. This takes
 * few operations on the picture's many numbers.
 *
 * @param channels Row bits of each channel, i32 [n, 10].
 */
export function picture(board: Board, channels: readonly Tensor[]): Tensor {
  const count = channels.length;
  const place = board.numbers(SIDE * count);
  // Adding a half keeps the quotient away from integers, whatever the rounding.
  const column = floor(mul(add(place, 0.5), 1 / count));
  const channel = sub(place, mul(column, count));
  const bit = columnBit(column);

  let lit: Tensor | null = null;
  for (let first = 0; first < count; first += PER_WORD) {
    let word: Tensor | null = null;
    let mask: Tensor | null = null;
    for (const [i, rows] of channels.slice(first, first + PER_WORD).entries()) {
      const bits = shiftLeft(rows, SIDE * i);
      const own = select(equal(channel, first + i), shiftLeft(bit, SIDE * i), 0);
      word = word ? bitOr(word, bits) : bits;
      mask = mask ? bitOr(mask, own) : own;
    }
    if (!word || !mask) break;
    const seen = bitAnd(beside(word), mask);
    lit = lit ? bitOr(lit, seen) : seen;
  }
  if (!lit) throw new RangeError("picture: found no channels, allowed at least one");
  return reshape(cast(not(equal(lit, 0)), "f32"), [lanesOf(lit), SIDE, SIDE, count]);
}
