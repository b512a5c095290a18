import type { PictureSize } from "./messages.ts";

type Pixels = Pick<PictureSize, "width" | "height">;

/** Pixels of a picture. */
export const pixelsOf = ({ width, height, scale = 1 }: PictureSize): Pixels => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** What is wrong with the pixels of a picture that somebody drew; null where there are as many as were asked for. */
export function pictureFault(found: Pixels, size: PictureSize): string | null {
  const { width, height } = pixelsOf(size);
  if (found.width === width && found.height === height) return null;
  return `found a picture of ${found.width} x ${found.height} pixels, allowed ${width} x ${height}; leave the size of its canvas as it is`;
}
