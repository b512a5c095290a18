/** Conversion of Box actions to the numbers that the environment expects. */
import { add, clip, concat, constant, floor, mul, reshape, type Tensor } from "../../kernels/index.ts";
import { isRounded, type NetworkData } from "../networks/index.ts";
import { boxScale, exactBounds, jointScale, type PolicyRange } from "../spaces/boxScale.ts";
import type { Box } from "../spaces.ts";

/** A constant vector. */
const vectorConstant = (values: ArrayLike<number>): Tensor =>
  concat(Array.from(values, (value) => reshape(constant(value), [1])));

/** Clips each number of actions [n, k] to its own bounds. */
export function withinBounds(action: Tensor, space: Box): Tensor {
  const { low, high } = exactBounds(space);
  return clip(action, vectorConstant(low), vectorConstant(high));
}

/** An actor's data that says how its actions are scaled. */
export type BoxActor = Pick<NetworkData, "box_actions">;

/** How an actor's numbers become those of the space; null if they keep their scale. */
export const scaleOf = (space: Box, range: PolicyRange, { box_actions }: BoxActor) =>
  box_actions === "each" ? boxScale(space, range) : jointScale(space, range);

/**
 * Converts actions [n, k] of an actor to those of the space. Each number that has two bounds is scaled from
 * `range` to them; see {@link boxScale}. Integers are rounded.
 */
export function toBounds(action: Tensor, range: PolicyRange, space: Box, actor: BoxActor): Tensor {
  const scaling = scaleOf(space, range, actor);
  const scaled = scaling
    ? add(mul(action, vectorConstant(scaling.scale)), vectorConstant(scaling.offset))
    : action;
  const rounded = isRounded(space, actor) ? floor(add(scaled, 0.5)) : scaled;
  // Rounding must not move an action past a bound.
  return withinBounds(rounded, space);
}
