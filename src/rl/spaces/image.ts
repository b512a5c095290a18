import type { Box } from "./Box.ts";

/** The layout of an image and the bounds of its numbers. */
export interface ImageLayout {
  /** [channels, height, width]. */
  readonly shape: readonly [channels: number, height: number, width: number];
  /** Whether an element's shape is [height, width, channels]; else [channels, height, width]. */
  readonly channelsLast: boolean;
  /** Bounds over all numbers; null if any number is unbounded. */
  readonly bounds: { readonly low: number; readonly high: number } | null;
}

/** Whether a network reads the space as an image: a Box of three dimensions. */
export const isImage = (space: { readonly kind: string; readonly shape: readonly number[] }): boolean =>
  space.kind === "Box" && space.shape.length === 3;

/**
 * The image layout of a Box of three dimensions. The last dimension holds the channels if no other is
 * smaller; otherwise the first does.
 * @throws RangeError when the Box does not have three dimensions.
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
