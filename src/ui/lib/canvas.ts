/**
 * A canvas's 2D context in CSS pixels, with the canvas at the screen's resolution; null if the browser
 * provides none.
 */
export function contextInPixels(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  // Setting a size clears the canvas, even if the size stays the same.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Strokes a path in one colour. @param width In pixels. @param opacity 0 to 1. */
export function strokePath(
  context: CanvasRenderingContext2D,
  path: Path2D,
  colour: string,
  width: number,
  opacity: number,
): void {
  context.globalAlpha = opacity;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
  context.globalAlpha = 1;
}
