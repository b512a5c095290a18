/** Which choices are legal, as the host's environments and callers say. */
import type { Info } from "../environments/HostEnvironment.ts";
import type { Space } from "../spaces/index.ts";

/** 1 or true for each legal choice. */
export type ActionMask = ArrayLike<number | boolean>;

/**
 * Masks of all lanes as a program takes them, [lanes * choices]; all ones without `mask`. Null where
 * actions are no choice.
 * @throws RangeError for a mask of an action space without choices, of another length, or with no legal choice in a lane.
 */
export function maskValues(space: Space, lanes: number, mask?: ActionMask | null): Float32Array | null {
  if (space.kind !== "Discrete") {
    if (mask)
      throw new RangeError(`action_mask: found one for ${space.kind} actions, allowed for Discrete ones`);
    return null;
  }
  const values = new Float32Array(lanes * space.n).fill(1);
  if (!mask) return values;
  if (mask.length !== values.length) {
    throw new RangeError(
      `action_mask: found ${mask.length} numbers, allowed ${values.length} (${lanes} observations of ${space.n} choices)`,
    );
  }
  for (let i = 0; i < values.length; i++) values[i] = Number(mask[i]) === 0 ? 0 : 1;
  for (let lane = 0; lane < lanes; lane++) {
    if (!values.subarray(lane * space.n, (lane + 1) * space.n).includes(1))
      throw new RangeError(`action_mask: observation ${lane} has no legal choice`);
  }
  return values;
}

/**
 * Masks that environments gave in `info.action_mask`; all ones for lanes without.
 * @throws RangeError as maskValues.
 */
export function infoMasks(space: Space, infos: readonly Info[]): Float32Array | null {
  if (space.kind !== "Discrete" || infos.every((info) => !info.action_mask))
    return maskValues(space, infos.length);
  const all = infos.flatMap(({ action_mask }) => {
    const given = action_mask ? Array.from(action_mask as ActionMask) : new Array<number>(space.n).fill(1);
    if (given.length === space.n) return given;
    throw new RangeError(`info.action_mask: found ${given.length} numbers, allowed ${space.n}`);
  });
  return maskValues(space, infos.length, all);
}
