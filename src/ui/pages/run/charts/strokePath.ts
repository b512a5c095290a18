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
