/** The games' arithmetic on positions, directions and timers, all f32. */
import type { Dim, Tensor } from "../../../../kernels/index.ts";
import {
  add,
  cast,
  clip,
  constant,
  equal,
  floor,
  greater,
  maximum,
  mul,
  neg,
  select,
  sub,
} from "../../../../kernels/index.ts";

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
