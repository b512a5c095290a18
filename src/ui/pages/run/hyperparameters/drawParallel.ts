import type { PlotTheme } from "../../../components/plot/plotTheme.ts";
import { strokeLine, strokePath } from "../../../lib/drawing.ts";
import { type FitnessScale, fitnessStep } from "../../../series/scales.ts";
import { type AxisSetting, type Dimension, passes, shareOf } from "./parallel.ts";

/** A visible axis of the drawing. */
export interface ShownAxis {
  readonly dimension: Dimension;
  readonly setting: AxisSetting;
}

export interface ParallelScene {
  readonly axes: readonly ShownAxis[];
  /** Cells of the agents to draw. */
  readonly cells: readonly number[];
  readonly fitness: Float64Array;
  readonly scale: FitnessScale;
  /** Cells drawn on top of all others: the selected agent and the one under the pointer. */
  readonly lit: ReadonlySet<number>;
  /** Cell of the elite; -1 for none. */
  readonly elite: number;
  readonly format: (value: number) => string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Margins around the axes in pixels: above for names, below for the lowest value. */
const EDGE = { side: 64, top: 40, bottom: 26 } as const;

/** Horizontal position of an axis in pixels. */
function axisX(at: number, axes: number, { width }: Size): number {
  return axes < 2 ? width / 2 : EDGE.side + (at * (width - 2 * EDGE.side)) / (axes - 1);
}

/** Vertical position in pixels of a share of an axis. */
const shareY = (share: number, { height }: Size): number =>
  height - EDGE.bottom - share * (height - EDGE.top - EDGE.bottom);

/** Share of an axis at a vertical position in pixels. */
export const yShare = (y: number, { height }: Size): number =>
  (height - EDGE.bottom - y) / (height - EDGE.top - EDGE.bottom);

/** Index of the axis nearest to a horizontal position; -1 if none is near. */
export function axisAt(x: number, axes: number, size: Size): number {
  let best = -1;
  for (let at = 0; at < axes; at += 1) {
    const away = Math.abs(axisX(at, axes, size) - x);
    if (away < 22 && (best < 0 || away < Math.abs(axisX(best, axes, size) - x))) best = at;
  }
  return best;
}

/** Draws lines coloured by fitness, lines outside a brush in grey, and the axes on top. */
export function drawParallel(
  context: CanvasRenderingContext2D,
  scene: ParallelScene,
  theme: PlotTheme,
  size: Size,
): void {
  const { axes, cells, fitness, scale, lit, elite } = scene;
  context.clearRect(0, 0, size.width, size.height);
  const [out, unknown] = [new Path2D(), new Path2D()];
  const steps = theme.fitness.map(() => new Path2D());
  const strong = new Path2D();
  const best = new Path2D();
  for (const cell of cells) {
    const inside = passes(cell, axes);
    const path = inside ? (steps[fitnessStep(scale, fitness[cell] ?? Number.NaN)] ?? unknown) : out;
    trace(path, cell, axes, size);
    if (cell === elite && inside) trace(best, cell, axes, size);
    if (lit.has(cell)) trace(strong, cell, axes, size);
  }
  const crowd = cells.length > 400 ? 0.35 : 0.75;
  strokePath(context, out, theme.colour["ink-3"], 1, 0.12);
  strokePath(context, unknown, theme.colour["ink-3"], 1, crowd);
  for (const [step, path] of steps.entries())
    strokePath(context, path, theme.fitness[step] ?? "", 1.25, crowd);
  strokePath(context, best, theme.colour.elite, 2.5, 1);
  strokePath(context, strong, theme.colour.ink, 2, 1);
  for (const [at, axis] of axes.entries())
    drawAxis(context, axis, axisX(at, axes.length, size), scene, theme, size);
}

function trace(path: Path2D, cell: number, axes: readonly ShownAxis[], size: Size): void {
  let drawn = false;
  for (const [at, { dimension, setting }] of axes.entries()) {
    const share = shareOf(dimension, setting.log, dimension.values[cell] ?? Number.NaN);
    if (!Number.isFinite(share)) {
      drawn = false;
      continue;
    }
    const [x, y] = [axisX(at, axes.length, size), shareY(share, size)];
    if (drawn) path.lineTo(x, y);
    else path.moveTo(x, y);
    drawn = true;
  }
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { dimension, setting }: ShownAxis,
  x: number,
  { format, axes }: ParallelScene,
  theme: PlotTheme,
  size: Size,
): void {
  const { colour } = theme;
  const [top, bottom] = [shareY(1, size), shareY(0, size)];
  const room = axes.length < 2 ? size.width : axisX(1, axes.length, size) - axisX(0, axes.length, size) - 8;
  context.strokeStyle = colour["line-strong"];
  context.lineWidth = 1;
  strokeLine(context, x, top, x, bottom);
  if (setting.brush !== null) {
    const [low, high] = [setting.brush.min, setting.brush.max].map((value) =>
      shareY(Math.min(1, Math.max(0, shareOf(dimension, setting.log, value))), size),
    ) as [number, number];
    context.globalAlpha = 0.28;
    context.fillStyle = colour.accent;
    context.fillRect(x - 7, high, 14, Math.max(2, low - high));
    context.globalAlpha = 1;
    context.strokeStyle = colour.accent;
    context.strokeRect(x - 7, high, 14, Math.max(2, low - high));
  }
  context.textAlign = "center";
  context.font = theme.font;
  context.fillStyle = colour.ink;
  context.textBaseline = "alphabetic";
  context.fillText(`${dimension.name}${setting.log ? " (log)" : ""}`, x, 14, room);
  context.fillStyle = colour["ink-2"];
  context.fillText(format(dimension.range.max), x, top - 6, room);
  context.fillText(format(dimension.range.min), x, bottom + 16, room);
}
