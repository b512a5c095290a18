/** Pictures of a user's environment, drawn by the environment itself. */
import { EnvironmentError, thrownBy } from "../rl/faces.ts";
import type { MadeEnvironment } from "./makeEnvironment.ts";
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

/** The part of OffscreenCanvas that this needs: the library's types do not include the DOM. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  getContext(kind: "2d"): { scale(x: number, y: number): void } | null;
  transferToImageBitmap(): object;
}

type MakeCanvas = new (width: number, height: number) => Canvas;

/**
 * Draws a lane's current state.
 * @returns an ImageBitmap.
 * @throws EnvironmentError if there is no `render` method or no canvas, if drawing throws,
 *   or if it resizes the canvas.
 */
export function drawLane(environments: readonly MadeEnvironment[], lane: number, size: PictureSize): object {
  const environment = environments[lane];
  const { OffscreenCanvas } = globalThis as { readonly OffscreenCanvas?: MakeCanvas };
  if (!environment?.draw)
    throw new EnvironmentError(`render: found no render(context, size) of lane ${lane}, allowed a function`);
  if (!OffscreenCanvas)
    throw new EnvironmentError("render: found no OffscreenCanvas; drawing needs a browser");
  const { width, height, scale = 1 } = size;
  const pixels = pixelsOf(size);
  const canvas = new OffscreenCanvas(pixels.width, pixels.height);
  const context = canvas.getContext("2d");
  context?.scale(scale, scale);
  const place = `${environment.spec.id}: render`;
  // The module may have replaced the functions called here.
  const safely = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw thrownBy(place, error);
    }
  };
  safely(() => environment.draw?.(context, { width, height }));
  const fault = safely(() => pictureFault(canvas, size));
  if (fault !== null) throw new EnvironmentError(`${place}: ${fault}`);
  return safely(() => canvas.transferToImageBitmap());
}
