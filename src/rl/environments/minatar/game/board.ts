/**
 * The board of a MinAtar game: arithmetic on it, the index tensors that comparisons share; and its cells, read from a
 * state for drawings. Tensor programs compute observations.
 */
import {
  add,
  cast,
  clip,
  constant,
  type Dim,
  equal,
  floor,
  greater,
  iota,
  less,
  maximum,
  mul,
  neg,
  reshape,
  select,
  sub,
  type Tensor,
} from "../../../../kernels/index.ts";

/** Number of rows, and of columns, in every game. */
export const SIDE = 10;

/** Index tensors for comparisons, created once and shared by all operations of one traced step or picture. */
export class Board {
  readonly #numbers = new Map<number, Tensor>();
  readonly #before = new Map<number, Tensor>();

  /** 0, 1, ..., size - 1, f32 [size]. */
  numbers(size: number): Tensor {
    const numbers = this.#numbers.get(size) ?? cast(iota(size), "f32");
    this.#numbers.set(size, numbers);
    return numbers;
  }

  /** Whether index j is less than index i, bool [i, j]. */
  before(size: number): Tensor {
    const numbers = this.numbers(size);
    const before = this.#before.get(size) ?? less(numbers, reshape(numbers, [size, 1]));
    this.#before.set(size, before);
    return before;
  }
}

/** The same number in every lane. */
export const everywhere = (value: number, num_envs: Dim): Tensor => constant(value, "f32", [num_envs]);

/** 1 where the condition holds, otherwise 0. */
export const flag = (condition: Tensor): Tensor => cast(condition, "f32");

/** The inverse of `flag`: a condition that is true where the flag is 1. */
export const isSet = (flag: Tensor): Tensor => greater(flag, 0);

/** A position moved one cell backward (`back`) or forward (`on`), within [low, high]. */
export const walk = (at: Tensor, back: Tensor, on: Tensor, low: number, high: number): Tensor =>
  clip(add(at, sub(flag(on), flag(back))), low, high);

/** The value with its sign changed where the condition holds. */
export const flip = (condition: Tensor, value: Tensor): Tensor => select(condition, neg(value), value);

/** Whether a non-negative integer is odd. */
export const isOdd = (x: Tensor): Tensor => equal(sub(x, mul(floor(mul(x, 0.5)), 2)), 1);

/** A timer after one more step; it stops at 0. */
export const countDown = (timer: Tensor): Tensor => maximum(sub(timer, 1), 0);

/** Whether a timer has reached 0. */
export const ready = (timer: Tensor): Tensor => equal(timer, 0);

/** Number of lanes of a tensor [n, ...]. */
export function lanesOf(x: Tensor): Dim {
  const [n] = x.shape;
  if (n === undefined) throw new RangeError("MinAtar: found a scalar, allowed values of lanes");
  return n;
}

/** An occupied cell of a channel: column x from the left, row y from the top. */
export interface Cell {
  readonly channel: string;
  readonly x: number;
  readonly y: number;
}

/** The integers from `from` up to, but not including, `to`. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Access to a state's numbers by variable. */
export class GameNumbers {
  readonly #values = new Map<string, readonly number[]>();

  /** @param shapes Shapes of the variables, in the order of the state. */
  constructor(shapes: Readonly<Record<string, readonly number[]>>, state: ArrayLike<number>) {
    const all = Array.from(state);
    let at = 0;
    for (const [name, shape] of Object.entries(shapes)) {
      const size = shape.reduce((a, b) => a * b, 1);
      this.#values.set(name, all.slice(at, at + size));
      at += size;
    }
  }

  list(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  /** One number of a variable; 0 if it is missing. */
  at(name: string, index = 0): number {
    return this.list(name)[index] ?? 0;
  }

  /** Occupied cells of a grid that is stored as row bits. */
  grid(name: string, channel: string): Cell[] {
    return this.list(name).flatMap((bits, y) =>
      range(0, SIDE)
        .filter((x) => ((bits >> x) & 1) === 1)
        .map((x) => ({ channel, x, y })),
    );
  }
}
