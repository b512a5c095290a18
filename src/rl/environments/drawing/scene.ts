/**
 * Drawing helpers that environments share. Coordinates are in the scene's own units, with y pointing up. In grid worlds,
 * cells are one unit wide and row 0 is at the top.
 */
import type { Directions, GridSize } from "../dynamics/numbers.ts";
import type { DrawEnvironment, DrawingContext, DrawingTheme } from "./drawing.ts";

/** The part of the scene that must be visible. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** @param scale CSS pixels per unit of the scene: small pictures need fewer details. */
export type Paint = (
  context: DrawingContext,
  state: ArrayLike<number>,
  action: number | null,
  theme: DrawingTheme,
  scale: number,
) => void;

/** The colour of shadows, which are dark on light and on dark pages. */
export const SHADE = "#000";

/** A drawing that fits `frame` into the canvas, centred and without distortion. */
export const scene =
  ({ left, right, bottom, top }: Frame, paint: Paint): DrawEnvironment =>
  (context, state, action, { width, height }, theme) => {
    context.save();
    context.fillStyle = theme.ground;
    context.fillRect(0, 0, width, height);
    const scale = Math.min(width / (right - left), height / (top - bottom));
    context.translate(width / 2, height / 2);
    context.scale(scale, -scale);
    context.translate(-(left + right) / 2, -(bottom + top) / 2);
    context.lineCap = "round";
    context.lineJoin = "round";
    paint(context, state, action, theme, scale);
    context.restore();
  };

/** A state variable by index; 0 if it is missing. */
export const at = (state: ArrayLike<number>, index: number): number => state[index] ?? 0;

/** Straight strokes in one path, which is drawn faster than one after another. */
export function bars(
  context: DrawingContext,
  lines: readonly (readonly [from: readonly [x: number, y: number], to: readonly [x: number, y: number]])[],
  width: number,
  color: string,
): void {
  context.beginPath();
  for (const [from, to] of lines) {
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
  }
  context.lineWidth = width;
  context.strokeStyle = color;
  context.stroke();
}

/** A straight stroke with round ends. */
export function bar(
  context: DrawingContext,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
  width: number,
  color: string,
): void {
  bars(context, [[from, to]], width, color);
}

export function disc(context: DrawingContext, x: number, y: number, radius: number, color: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** A joint: a disc with a hole in the background colour. */
export function joint(
  context: DrawingContext,
  x: number,
  y: number,
  radius: number,
  theme: DrawingTheme,
): void {
  disc(context, x, y, radius, theme.ink);
  disc(context, x, y, radius * 0.45, theme.ground);
}

/** A V that points along +x (direction 1) or -x (-1), with its tip at (x, y). */
export function chevron(
  context: DrawingContext,
  x: number,
  y: number,
  direction: 1 | -1,
  size: number,
  color: string,
): void {
  context.beginPath();
  context.moveTo(x - direction * size, y + size);
  context.lineTo(x, y);
  context.lineTo(x - direction * size, y - size);
  context.lineWidth = size * 0.45;
  context.strokeStyle = color;
  context.stroke();
}

/** A goal: a flagpole with a pennant, with its foot at (x, y). */
export function flag(context: DrawingContext, x: number, y: number, size: number, theme: DrawingTheme): void {
  bar(context, [x, y], [x, y + size], size * 0.05, theme.ink);
  context.beginPath();
  context.moveTo(x, y + size);
  context.lineTo(x + size * 0.45, y + size * 0.825);
  context.lineTo(x, y + size * 0.65);
  context.closePath();
  context.fillStyle = theme.accent;
  context.fill();
}

/** Largest sweep of a turn arrow, in radians. */
const FULL_TURN = 1.4 * Math.PI;

/**
 * An arc with an arrow head around (x, y), from the top. `amount` in [-1, 1] is the fraction of a full sweep,
 * counter-clockwise positive.
 */
export function turnArrow(
  context: DrawingContext,
  x: number,
  y: number,
  radius: number,
  amount: number,
  width: number,
  color: string,
): void {
  const sweep = FULL_TURN * Math.max(-1, Math.min(1, amount));
  if (Math.abs(sweep) < 0.05) return;
  const start = Math.PI / 2;
  const end = start + sweep;
  context.beginPath();
  context.arc(x, y, radius, start, end, sweep < 0);
  context.lineWidth = width;
  context.strokeStyle = color;
  context.stroke();
  context.save();
  context.translate(x + radius * Math.cos(end), y + radius * Math.sin(end));
  context.rotate(end + (Math.sign(sweep) * Math.PI) / 2);
  chevron(context, width * 1.2, 0, 1, width * 2, color);
  context.restore();
}

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
