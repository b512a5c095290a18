/** Actions of a Box as the environment takes them. */
import { add, clip, concat, constant, mul, reshape, type Tensor } from "../../kernels/index.ts";
import type { Box } from "../spaces/index.ts";

/** A constant [numbers of an action]. */
const vectorConstant = (values: ArrayLike<number>): Tensor =>
  concat(Array.from(values, (value) => reshape(constant(value), [1])));

/** Actions [n, k] with each number brought within its own bounds, where it has them. */
export const withinBounds = (action: Tensor, { low, high }: Box): Tensor =>
  clip(action, vectorConstant(low), vectorConstant(high));

/**
 * Actions [n, k] between `least` and `most`, stretched to the bounds of each number; where some number lacks one, they
 * keep their scale and are brought within what bounds there are.
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
  // Rounding must not carry an action past a bound.
  return withinBounds(stretched, space);
}
