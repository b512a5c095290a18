/** The layout of rigid bodies in states, and their drawing. */
import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at } from "../drawing/scene.ts";

/** How many numbers a body has in a state: x and y (m), angle (rad) and their rates. */
export const BODY_NUMBERS = 6;

type Point = Readonly<{ x: number; y: number }>;

/** Draws in the coordinate frame of one of the state's bodies. */
export function inBody(
  context: DrawingContext,
  state: ArrayLike<number>,
  body: number,
  draw: () => void,
): void {
  const first = body * BODY_NUMBERS;
  context.save();
  context.translate(at(state, first), at(state, first + 1));
  context.rotate(at(state, first + 2));
  draw();
  context.restore();
}

function path(context: DrawingContext, points: readonly Point[]): void {
  context.beginPath();
  for (const [i, { x, y }] of points.entries()) {
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
}

/** A filled polygon. */
export function polygon(context: DrawingContext, points: readonly Point[], color: string): void {
  path(context, points);
  context.closePath();
  context.fillStyle = color;
  context.fill();
}

/** A filled box around the origin. @param half Half its width and half its height. */
export function box(context: DrawingContext, half: Point, color: string): void {
  context.beginPath();
  context.rect(-half.x, -half.y, 2 * half.x, 2 * half.y);
  context.fillStyle = color;
  context.fill();
}

/** The ground continues as scenery if the canvas is wider or taller than the view. */
const SCENERY = 30;

/** The ground below a line of points from left to right, which continues level on both sides. */
export function ground(context: DrawingContext, line: readonly Point[], theme: DrawingTheme): void {
  const [first, last] = [line.at(0), line.at(-1)];
  if (!first || !last) return;
  const [left, right] = [first.x - SCENERY, last.x + SCENERY];
  const outline = [{ x: left, y: first.y }, ...line, { x: right, y: last.y }];
  context.globalAlpha = 0.18;
  polygon(context, [...outline, { x: right, y: -SCENERY }, { x: left, y: -SCENERY }], theme.muted);
  context.globalAlpha = 1;
  path(context, outline);
  context.lineWidth = 0.08;
  context.strokeStyle = theme.muted;
  context.stroke();
}
