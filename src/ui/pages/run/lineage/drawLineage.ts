import { formatCount } from "../../../lib/format.ts";
import { ticksWithin } from "../../../series/scales.ts";
import type { PlotTheme } from "../charts/plotTheme.ts";
import { drawEdges } from "./drawEdges.ts";
import { drawNodes } from "./drawNodes.ts";
import type { LineageScene } from "./LineageScene.ts";
import { rowAt, type Stage, screenX, type Viewport } from "./viewport.ts";

/** Draws the visible part of the lineage. The context is in CSS pixels. */
export function drawLineage(
  context: CanvasRenderingContext2D,
  scene: LineageScene,
  theme: PlotTheme,
  view: Viewport,
  stage: Stage,
): void {
  context.clearRect(0, 0, stage.width, stage.height);
  drawAxis(context, scene, theme, view, stage);
  drawEdges(context, scene, theme, view, stage);
  drawNodes(context, scene, theme, view, stage);
}

/** Draws generation numbers along the top, and a line at the shown generation. */
function drawAxis(
  context: CanvasRenderingContext2D,
  { columns, fate }: LineageScene,
  theme: PlotTheme,
  view: Viewport,
  { width, height, rows }: Stage,
): void {
  const generationAt = (row: number): number =>
    columns.generation[Math.min(rows - 1, Math.max(0, Math.round(row)))] ?? 0;
  const first = generationAt(rowAt(view, 0));
  const offset = columns.generation[0] ?? 1;
  context.font = theme.font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  const last = generationAt(rowAt(view, width));
  const ticks = ticksWithin(first, last, Math.max(2, width / 90)).filter(Number.isInteger);
  for (const tick of ticks) {
    const x = screenX(view, tick - offset);
    context.strokeStyle = theme.colour.line;
    context.beginPath();
    context.moveTo(x, 22);
    context.lineTo(x, height);
    context.stroke();
    context.fillStyle = theme.colour["ink-2"];
    context.fillText(formatCount(tick), x, 12);
  }
  if (fate.row < 0 || fate.row >= rows - 1) return;
  const x = screenX(view, fate.row);
  context.strokeStyle = theme.colour.accent;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}
