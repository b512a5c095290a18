import type { Box } from "./Box.ts";

/** How the numbers of an image lie, and what they lie between. */
export interface ImageLayout {
  /** [channels, height, width]. */
  readonly shape: readonly [channels: number, height: number, width: number];
  /** Whether an element's shape is [height, width, channels]; else [channels, height, width]. */
  readonly channelsLast: boolean;
  /** Bounds of all numbers; null where one is missing. */
  readonly bounds: { readonly low: number; readonly high: number } | null;
}

/** Whether a network reads the space as an image: a Box of three dimensions. */
export const isImage = (space: { readonly kind: string; readonly shape: readonly number[] }): boolean =>
  space.kind === "Box" && space.shape.length === 3;

/**
 * The image of a Box of three dimensions. The channels are its last dimension when none is smaller, else its first.
 * @throws RangeError for another number of dimensions.
 */
export function imageLayout({ shape, low, high }: Box): ImageLayout {
  const [a, b, c] = shape;
  if (shape.length !== 3 || a === undefined || b === undefined || c === undefined)
    throw new RangeError(`image: found shape [${shape.join(", ")}], allowed three dimensions`);
  const channelsLast = c <= a && c <= b;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < low.length; i++) {
    least = Math.min(least, low[i] as number);
    most = Math.max(most, high[i] as number);
  }
  const bounded = Number.isFinite(least) && Number.isFinite(most);
  return {
    shape: channelsLast ? [c, a, b] : [a, b, c],
    channelsLast,
    bounds: bounded ? { low: least, high: most } : null,
  };
}
