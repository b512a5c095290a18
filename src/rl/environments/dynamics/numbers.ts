/** Arithmetic of dynamics: angles, tables, whole numbers from draws, moves on a grid. */
import {
  add,
  bitAnd,
  broadcastTo,
  cast,
  clip,
  constant,
  equal,
  floor,
  greaterEqual,
  less,
  mul,
  select,
  shiftRight,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";

/** 2 pi as a sum: the first term has eight bits, so its products with turn counts below 2^16 are exact. */
const TURN_HIGH = 6.28125;
const TURN_LOW = 2 * Math.PI - TURN_HIGH;

/** The angle in [-pi, pi) that differs from `angle` (rad) by whole turns. */
export function wrapAngle(angle: Tensor): Tensor {
  const turns = floor(mul(add(angle, Math.PI), 1 / (2 * Math.PI)));
  return sub(sub(angle, mul(turns, TURN_HIGH)), mul(turns, TURN_LOW));
}

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

/**
 * 2^x, i32: a product over the bits of x, because shifts take only constant distances.
 * @param x i32, from 0 to 2^bits - 1.
 */
export function powerOfTwo(x: Tensor, bits: number): Tensor {
  let power = constant(1, "i32");
  for (let i = 0; i < bits; i++) {
    const set = bitAnd(shiftRight(x, i), 1);
    power = mul(power, add(mul(set, (1 << (1 << i)) - 1), 1));
  }
  return power;
}

/**
 * A uniform integer from 0 to count - 1, from a uniform [0, 1) draw: f32 of the draw's shape. Draws are at
 * most
 * 1 - 2^-24, and in f32 the product of that and any count rounds to a number below count.
 */
export const drawInteger = (draw: Tensor, count: number): Tensor => floor(mul(draw, count));

/** A cell in each lane; row and column are f32 [num_envs], and row 0 is at the top. */
export interface Cell {
  readonly row: Tensor;
  readonly col: Tensor;
}

export interface GridSize {
  readonly rows: number;
  readonly cols: number;
}

/** The action for each direction; any other action stays in place. */
export interface Directions {
  readonly up: number;
  readonly right: number;
  readonly down: number;
  readonly left: number;
}

/** The cell after an action; moves stop at the border. `action`: f32 [num_envs]. */
export function gridMove({ row, col }: Cell, action: Tensor, to: Directions, { rows, cols }: GridSize): Cell {
  const is = (direction: number): Tensor => cast(equal(action, direction), "f32");
  return {
    row: clip(add(row, sub(is(to.down), is(to.up))), 0, rows - 1),
    col: clip(add(col, sub(is(to.right), is(to.left))), 0, cols - 1),
  };
}

/**
 * The action on slippery ground: the chosen one, or the direction to its left or right, with probability 1/3
 * each. The four actions must be numbered around the compass. f32 [num_envs].
 */
export function slipped(action: Tensor, draw: Tensor): Tensor {
  const turned = sub(add(action, drawInteger(draw, 3)), 1);
  return select(less(turned, 0), 3, select(greaterEqual(turned, 4), 0, turned));
}
