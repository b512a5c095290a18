/** Conversion of Box actions to the bounds that the environment expects. */
import { add, clip, concat, constant, mul, reshape, type Tensor } from "../../kernels/index.ts";
import type { Box } from "../spaces/index.ts";

/** A constant vector. */
const vectorConstant = (values: ArrayLike<number>): Tensor =>
  concat(Array.from(values, (value) => reshape(constant(value), [1])));

/** Clips each number of actions [n, k] to its own bounds. */
export const withinBounds = (action: Tensor, { low, high }: Box): Tensor =>
  clip(action, vectorConstant(low), vectorConstant(high));

/**
 * Scales actions [n, k] from the range `least` to `most` to the bounds of each number. If any bound is
 * infinite, actions keep their scale and are clipped to the finite bounds.
 */
export function toBounds(
  action: Tensor,
  [least, most]: readonly [least: number, most: number],
  space: Box,
): Tensor {
  const { low, high } = space;
  if (![...low, ...high].every(Number.isFinite)) return withinBounds(action, space);
  const scale = Array.from(low, (from, i) => ((high[i] as number) - from) / (most - least));
  const offset = Array.from(low, (from, i) => from - least * (scale[i] as number));
  const stretched = add(mul(action, vectorConstant(scale)), vectorConstant(offset));
  // Rounding must not move an action past a bound.
  return withinBounds(stretched, space);
}
