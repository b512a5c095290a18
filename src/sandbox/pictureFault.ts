import type { PictureSize } from "./messages.ts";

type Pixels = Pick<PictureSize, "width" | "height">;

/** Size of a picture in pixels. */
export const pixelsOf = ({ width, height, scale = 1 }: PictureSize): Pixels => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** Describes a picture whose size differs from the requested one; `null` if the size is right. */
export function pictureFault(found: Pixels, size: PictureSize): string | null {
  const { width, height } = pixelsOf(size);
  if (found.width === width && found.height === height) return null;
  return `found an image of ${found.width} x ${found.height} pixels, allowed ${width} x ${height}; do not change the size of its canvas`;
}
