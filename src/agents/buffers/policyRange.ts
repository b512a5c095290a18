/** Actions that callers give, on the policy's own scale. */
import type { BoxScale } from "../../rl/spaces.ts";

/** Tolerance for actions that rounding moved outside the policy's range. */
const ROUNDING = 1e-5;

/**
 * @param size How many numbers an action has.
 * @param placeOf Names the action with an index, for messages.
 * @throws RangeError naming the number that lies outside the policy's range.
 */
export function requireRange(
  actions: ArrayLike<number>,
  [least, most]: readonly [least: number, most: number],
  size: number,
  scaling: BoxScale | null,
  placeOf: (row: number, number: number) => string,
): void {
  for (let i = 0; i < actions.length; i++) {
    const action = actions[i] as number;
    if (action >= least - ROUNDING && action <= most + ROUNDING) continue;
    const [scale, offset] = [scaling?.scale[i % size] ?? 1, scaling?.offset[i % size] ?? 0];
    throw new RangeError(
      `${placeOf(Math.floor(i / size), i % size)}: found ${action}, allowed ${least} to ${most}, the policy's own scale: (a - ${offset}) / ${scale} for an action a of the environment`,
    );
  }
}
