/** Small steps of the games' arithmetic on positions, directions and timers, all f32. */
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

/** One number in every lane. */
export const everywhere = (value: number, num_envs: Dim): Tensor => constant(value, "f32", [num_envs]);

/** 1 where the condition holds, else 0. */
export const flag = (condition: Tensor): Tensor => cast(condition, "f32");

/** The condition that a flag holds. */
export const isSet = (flag: Tensor): Tensor => greater(flag, 0);

/** A position moved one cell back or on, within [low, high]. */
export const walk = (at: Tensor, back: Tensor, on: Tensor, low: number, high: number): Tensor =>
  clip(add(at, sub(flag(on), flag(back))), low, high);

/** The value with its sign changed where the condition holds. */
export const flip = (condition: Tensor, value: Tensor): Tensor => select(condition, neg(value), value);

/** Whether a number of at least 0 is odd. */
export const isOdd = (x: Tensor): Tensor => equal(sub(x, mul(floor(mul(x, 0.5)), 2)), 1);

/** A timer one step on, at rest at 0. */
export const countDown = (timer: Tensor): Tensor => maximum(sub(timer, 1), 0);

/** Whether a timer is at rest. */
export const ready = (timer: Tensor): Tensor => equal(timer, 0);

/** Lanes of a value of each lane. */
export function lanesOf(x: Tensor): Dim {
  const [n] = x.shape;
  if (n === undefined) throw new RangeError("MinAtar: found a scalar, allowed values of lanes");
  return n;
}
