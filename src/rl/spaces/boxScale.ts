/** How a policy's numbers become those of a Box: each is scaled, moved, rounded if need be, and clipped. */
import type { Box } from "./Box.ts";

/** Smallest and largest number of a policy; null for a Gaussian, whose numbers have no limits. */
export type PolicyRange = readonly [least: number, most: number] | null;

/** Range of continuous actions in policies that learn from data, and so in the replay buffers that hold the data. */
export const OFFLINE_RANGE = [-1, 1] as const;

/** A number x of the policy becomes `scale` times x plus `offset`, with one entry for each number. */
export interface BoxScale {
  readonly scale: readonly number[];
  readonly offset: readonly number[];
}

/** Where most of an untrained Gaussian policy's numbers are. */
const GAUSSIAN_RANGE = [-1, 1] as const;
/**
 * A Gaussian keeps its scale if both bounds are at most this far from 0, and at least as far apart: two of its
 * initial standard deviations. In wider ranges it would explore a part only, and in narrower ones it would
 * learn to act at a bound, where clipping leaves nothing of its deviation.
 */
const KEPT = 2;

/** Whether numbers of the space are integers. */
export const isWhole = ({ dtype }: Box): boolean => dtype !== "float32";

/**
 * The scale of each number: what is bounded on both sides is scaled to its bounds, whatever the others are.
 * The rest keeps its scale, moved so that the policy's range is within a bound. Integers are scaled to half a
 * step beyond their bounds, so that rounding gives all of them equal shares. A distance between bounds that is
 * infinite in 32 bits counts as no bounds.
 */
export function boxScale(space: Box, range: PolicyRange): BoxScale {
  const [least, most] = range ?? GAUSSIAN_RANGE;
  const margin = isWhole(space) ? 0.5 : 0;
  const each = Array.from(space.low, (bound, i) => {
    const [low, high] = [bound - margin, (space.high[i] as number) + margin];
    const apart = high - low;
    const suits = range === null && Math.max(-low, high) <= KEPT && apart >= KEPT;
    if (Number.isFinite(Math.fround(apart)) && !suits) return stretched([low, high], [least, most]);
    const moved = suits ? 0 : Math.max(0, low - least) + Math.min(0, high - most);
    return { scale: 1, offset: moved };
  });
  return { scale: each.map(({ scale }) => scale), offset: each.map(({ offset }) => offset) };
}

/** The scale of policies from before numbers were scaled each for itself: all of them or none; null for none. */
export function jointScale({ low, high }: Box, range: PolicyRange): BoxScale | null {
  if (range === null || ![...low, ...high].every(Number.isFinite)) return null;
  const each = Array.from(low, (from, i) => stretched([from, high[i] as number], range));
  return { scale: each.map(({ scale }) => scale), offset: each.map(({ offset }) => offset) };
}

function stretched([low, high]: readonly [number, number], [least, most]: readonly [number, number]) {
  const scale = (high - low) / (most - least);
  return { scale, offset: low - least * scale };
}

/** Whether both ways to scale give a space the same actions. */
export function scalesAlike(space: Box, range: PolicyRange): boolean {
  if (isWhole(space)) return false;
  const { scale, offset } = boxScale(space, range);
  const joint = jointScale(space, range);
  return (
    scale.every((x, i) => x === (joint?.scale[i] ?? 1)) &&
    offset.every((x, i) => x === (joint?.offset[i] ?? 0))
  );
}

/**
 * Bounds that are exact in 32-bit floats: those of integers are moved inwards to the next such integer.
 * @throws RangeError naming the number of the space that has no such integer.
 */
export function exactBounds(space: Box): { readonly low: number[]; readonly high: number[] } {
  if (!isWhole(space)) return { low: [...space.low], high: [...space.high] };
  const inwards = (bound: number, step: 1 | -1): number => {
    let x = bound;
    while (Math.fround(x) !== x) x += step;
    return x;
  };
  const low = Array.from(space.low, (bound) => inwards(bound, 1));
  const high = Array.from(space.high, (bound) => inwards(bound, -1));
  const empty = low.findIndex((x, i) => x > (high[i] as number));
  if (empty >= 0)
    throw new RangeError(
      `action_space[${empty}]: found ${space.low[empty]} to ${space.high[empty]}, allowed ranges of integers of which one is exact in 32-bit floats; move or widen the range`,
    );
  return { low, high };
}
