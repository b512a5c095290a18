/** Drawing helpers for grid worlds: cells are one unit wide, row 0 is at the top. */
import type { Directions, GridSize } from "../dynamics/numbers.ts";
import type { DrawEnvironment, DrawingContext, DrawingTheme } from "./drawing.ts";
import { chevron, disc, type Paint, scene } from "./scene.ts";

const MARGIN = 0.25;
const GAP = 0.04;

/** A drawing of a whole grid. */
export const gridScene = ({ rows, cols }: GridSize, paint: Paint): DrawEnvironment =>
  scene({ left: -MARGIN, right: cols + MARGIN, bottom: -MARGIN, top: rows + MARGIN }, paint);

/** Centre of a cell in a grid with `rows` rows. */
export const centre = (rows: number, row: number, col: number): readonly [x: number, y: number] => [
  col + 0.5,
  rows - row - 0.5,
];

/** A rounded square that fills its cell. */
export function tile(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  color: string,
  alpha: number,
): void {
  context.beginPath();
  context.roundRect(x - 0.5 + GAP, y - 0.5 + GAP, 1 - 2 * GAP, 1 - 2 * GAP, 0.1);
  context.globalAlpha = alpha;
  context.fillStyle = color;
  context.fill();
  context.globalAlpha = 1;
}

/** Angle of a movement action, counter-clockwise from the right; null for actions that do not move. */
export function heading(action: number | null, { right, up, left, down }: Directions): number | null {
  const quarter = [right, up, left, down].findIndex((direction) => direction === action);
  return quarter < 0 ? null : (quarter * Math.PI) / 2;
}

/** An arrow head beside a body of the given radius, in the direction `angle`. */
export function headingMark(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  angle: number,
  radius: number,
  color: string,
): void {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  chevron(context, radius + 0.13, 0, 1, 0.09, color);
  context.restore();
}

/** The agent of a grid world, with an arrow head in the direction of its action. */
export function walker(
  context: DrawingContext,
  place: readonly [number, number],
  angle: number | null,
  theme: DrawingTheme,
): void {
  const radius = 0.24;
  disc(context, place[0], place[1], radius, theme.accent);
  disc(context, place[0], place[1], radius * 0.4, theme.ground);
  if (angle !== null) headingMark(context, place, angle, radius, theme.ink);
}
