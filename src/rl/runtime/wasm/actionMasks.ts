/** Which choices are legal, as the host's environments and callers say. */

import { choicesOf } from "../../contract/choices.ts";
import type { Info } from "../../environments/face/HostEnvironment.ts";
import { describeValue, isArrayLike } from "../../spaces/describeValue.ts";
import type { Space } from "../../spaces/index.ts";

/** 1 or true for each legal choice. */
export type ActionMask = ArrayLike<number | boolean>;

/**
 * Masks of all lanes as a program takes them, [lanes * choices]; all ones without `mask`. A MultiDiscrete space has
 * all its choices side by side, a MultiBinary one a number for each bit (0: it may not be 1). Null where actions are
 * no choice.
 * @throws RangeError for a mask of an action space without choices, of another length, of other values, or with no legal choice in a lane.
 */
export function maskValues(space: Space, lanes: number, mask?: ActionMask | null): Float32Array | null {
  const size = choicesOf(space);
  if (size === 0) {
    if (mask)
      throw new RangeError(
        `action_mask: found one for ${space.kind} actions, allowed for Discrete, MultiDiscrete and MultiBinary ones`,
      );
    return null;
  }
  const values = new Float32Array(lanes * size).fill(1);
  if (!mask) return values;
  if (!isArrayLike(mask) || mask.length !== values.length) {
    const found = isArrayLike(mask) ? `${mask.length} numbers` : describeValue(mask);
    throw new RangeError(
      `action_mask: found ${found}, allowed ${values.length} (${lanes} observations of ${size} choices)`,
    );
  }
  for (let i = 0; i < values.length; i++) {
    const given: unknown = mask[i];
    if (given !== 0 && given !== 1 && given !== true && given !== false)
      throw new RangeError(
        `action_mask[${i % size}] of observation ${Math.floor(i / size)}: found ${describeValue(given)}, allowed 0 or false, 1 or true`,
      );
    values[i] = Number(given);
  }
  for (let lane = 0; lane < lanes; lane++)
    requireLegal(space, values.subarray(lane * size, (lane + 1) * size), lane);
  return values;
}

/** @throws RangeError when one of the space's choices has no legal one; bits may all be forbidden to be 1. */
function requireLegal(space: Space, mask: Float32Array, lane: number): void {
  const sizes = space.kind === "MultiDiscrete" ? space.nvec : space.kind === "Discrete" ? [space.n] : [];
  let start = 0;
  for (const [i, size] of sizes.entries()) {
    const which = space.kind === "MultiDiscrete" ? ` of number ${i}` : "";
    if (!mask.subarray(start, start + size).includes(1))
      throw new RangeError(`action_mask: observation ${lane} has no legal choice${which}`);
    start += size;
  }
}

/**
 * Masks that environments gave in `info.action_mask`; all ones for lanes without.
 * @throws RangeError as maskValues.
 */
export function infoMasks(space: Space, infos: readonly Info[]): Float32Array | null {
  const size = choicesOf(space);
  if (size === 0 || infos.every((info) => !info.action_mask)) return maskValues(space, infos.length);
  const all = infos.flatMap(({ action_mask }, lane) => {
    if (action_mask && !isArrayLike(action_mask))
      throw new RangeError(
        `info.action_mask of lane ${lane}: found ${describeValue(action_mask)}, allowed ${size} numbers`,
      );
    const given = action_mask ? Array.from(action_mask as ActionMask) : new Array<number>(size).fill(1);
    if (given.length === size) return given;
    throw new RangeError(`info.action_mask of lane ${lane}: found ${given.length} numbers, allowed ${size}`);
  });
  return maskValues(space, infos.length, all);
}
