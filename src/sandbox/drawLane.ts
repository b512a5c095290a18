/** Pictures of a person's environment, as it draws them itself. */
import { EnvironmentError } from "../rl/environments/face/EnvironmentError.ts";
import { thrownBy } from "../rl/environments/face/namingEnvironment.ts";
import type { MadeEnvironment } from "./makeEnvironment.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** As much of a browser's OffscreenCanvas as this needs: the library's types know no DOM. */
interface Canvas {
  getContext(kind: "2d"): unknown;
  transferToImageBitmap(): object;
}

type MakeCanvas = new (width: number, height: number) => Canvas;

/**
 * Draws a lane's present state. @param size Pixels.
 * @returns an ImageBitmap.
 * @throws EnvironmentError where nothing draws, or for what the drawing threw.
 */
export function drawLane(environments: readonly MadeEnvironment[], lane: number, size: Size): object {
  const environment = environments[lane];
  const { OffscreenCanvas } = globalThis as { readonly OffscreenCanvas?: MakeCanvas };
  if (!environment?.draw)
    throw new EnvironmentError(`render: found no render(context, size) of lane ${lane}, allowed a function`);
  if (!OffscreenCanvas) throw new EnvironmentError("render: found no canvas, allowed in a browser");
  const canvas = new OffscreenCanvas(size.width, size.height);
  try {
    environment.draw(canvas.getContext("2d"), size);
  } catch (error) {
    throw thrownBy(`${environment.spec.id}: render`, error);
  }
  return canvas.transferToImageBitmap();
}
