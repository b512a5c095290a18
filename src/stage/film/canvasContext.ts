import type { StageSize } from "../stageProtocol.ts";

/**
 * The context of a new canvas, in CSS pixels. Its pixels stay in memory, from where encoders read them.
 * @throws Error if the browser provides no 2D context
 */
export function canvasContext({ width, height, ratio }: StageSize): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(Math.round(width * ratio), Math.round(height * ratio));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null)
    throw new Error("This browser does not support 2D canvases in workers; use a current browser.");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
