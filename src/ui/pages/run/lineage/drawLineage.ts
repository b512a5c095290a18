import { strokeLine, strokePath } from "../../../lib/drawing.ts";
import { formatShort } from "../../../lib/format.ts";
import { type FitnessScale, ticksWithin } from "../../../series/scales.ts";
import { drawNodes } from "./drawNodes.ts";
import type { Drawing, LineageScene } from "./LineageScene.ts";
import { laneOfFitness } from "./treeLayout.ts";
import { drawnRows, rowAt, type Stage, screenX, screenY, type Viewport } from "./viewport.ts";

/** Minimum pixels between generations for curved lines. */
const CURVED = 10;

/** Widths of lines in pixels, by the share of the shown generation that descends from an agent. */
const WIDTHS = [
  { from: 0, width: 1.25 },
  { from: 0.25, width: 2.5 },
  { from: 0.5, width: 4 },
  { from: 0.9, width: 6 },
] as const;

/** Least width of the elite's line. */
const ELITE_WIDTH = 2.5;

/** The ancestor cell a number of generations back; -1 if the lineage begins later. */
function ancestor({ graph }: LineageScene, cell: number, generations: number): number {
  let at = cell;
  for (let back = 0; back < generations && at >= 0; back += 1) at = graph.before(at);
  return at;
}

/** Draws lines of descent: ended lineages, surviving lineages in their colours, and the elite's on top. */
export function drawEdges({ context, scene, theme, view, stage }: Drawing): void {
  const { graph, places, fate, colours, columns } = scene;
  const { population } = graph;
  const { first, last, step } = drawnRows(view, stage, places.across);
  const dead = new Path2D();
  const elite = WIDTHS.map(() => new Path2D());
  const living = theme.members.map(() => WIDTHS.map(() => new Path2D()));
  for (let row = first; row <= last; row += step) {
    const back = Math.min(step, row);
    if (back === 0) continue;
    const [x0, x1] = [places.across.of(row - back), places.across.of(row)].map((place) =>
      screenX(view, place),
    ) as [number, number];
    for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
      const from = ancestor(scene, cell, back);
      if (from < 0) continue;
      const survives = fate.survives[cell] === 1;
      const share = (fate.heirs[cell] ?? 0) / population;
      const wide = WIDTHS.findLastIndex(({ from }) => share >= from);
      const line = fate.elite[row] === cell ? elite : living[colours.of(columns.index[cell] ?? -1)];
      const path = survives ? line?.[wide] : dead;
      if (path === undefined) continue;
      const [y0, y1] = [screenY(view, places.of(from)), screenY(view, places.of(cell))];
      join(path, x0, y0, x1, y1);
    }
  }
  strokePath(context, dead, theme.colour["ink-3"], 1, 0.35);
  for (const [colour, paths] of living.entries())
    for (const [wide, path] of paths.entries())
      strokePath(context, path, theme.members[colour] ?? theme.colour.ink, WIDTHS[wide]?.width ?? 1, 0.7);
  for (const [wide, path] of elite.entries())
    strokePath(context, path, theme.colour.elite, Math.max(ELITE_WIDTH, WIDTHS[wide]?.width ?? 0), 1);
}

function join(path: Path2D, x0: number, y0: number, x1: number, y1: number): void {
  path.moveTo(x0, y0);
  if (x1 - x0 < CURVED || y0 === y1) path.lineTo(x1, y1);
  else {
    const middle = (x0 + x1) / 2;
    path.bezierCurveTo(middle, y0, middle, y1, x1, y1);
  }
}

/** Draws the visible part of the lineage. */
export function drawLineage(drawing: Drawing): void {
  const { context, scene, theme, view, stage } = drawing;
  context.clearRect(0, 0, stage.width, stage.height);
  drawAxis(drawing);
  const marks = scene.places.range === null ? [] : fitnessMarks(scene.places.range, view, stage);
  context.strokeStyle = theme.colour.line;
  for (const { y } of marks) strokeLine(context, 0, y, stage.width, y);
  drawEdges(drawing);
  drawNodes(drawing);
  // On top of the oldest agents, which lie on the left side too.
  context.textAlign = "left";
  context.textBaseline = "bottom";
  context.lineWidth = 3;
  context.strokeStyle = theme.colour.surface;
  context.fillStyle = theme.colour["ink-2"];
  for (const { text, y } of marks) {
    context.strokeText(text, 4, y - 2);
    context.fillText(text, 4, y - 2);
  }
}

/** Draws values of the horizontal axis along the top, and a line at the shown generation. */
function drawAxis({ context, scene, theme, view, stage }: Drawing): void {
  const { places, fate } = scene;
  const { across } = places;
  const { width, height, rows } = stage;
  context.font = theme.font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  for (const { place, text } of across.ticks(rowAt(view, 0), rowAt(view, width), Math.max(2, width / 90))) {
    const x = screenX(view, place);
    context.strokeStyle = theme.colour.line;
    strokeLine(context, x, 22, x, height);
    context.fillStyle = theme.colour["ink-2"];
    context.fillText(text, x, 12);
  }
  if (fate.row < 0 || fate.row >= rows - 1) return;
  const x = screenX(view, across.of(fate.row));
  context.strokeStyle = theme.colour.accent;
  strokeLine(context, x, 0, x, height);
}

/** Round values of fitness with their heights. */
const fitnessMarks = (range: FitnessScale, view: Viewport, { height }: Stage) =>
  ticksWithin(range.low, range.high, height / 70).map((fitness) => ({
    text: formatShort(fitness),
    y: screenY(view, laneOfFitness(range, fitness)),
  }));
