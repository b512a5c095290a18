import { MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { MUTATION_SHAPES } from "../../../components/marks.tsx";
import { fitnessStep } from "../../../series/scales.ts";
import { fittest } from "../descent/LineageGraph.ts";
import type { Drawing } from "./LineageScene.ts";
import type { Places } from "./treeLayout.ts";
import { drawnRows, screenX, screenY, type Viewport } from "./viewport.ts";

/**
 * Limits of the radius of marks in pixels; below the smallest, shapes are indistinguishable and all marks are
 * squares.
 */
const LARGEST = 6;
const SMALLEST_SHAPE = 2.5;

/** Radius of marks that fits the distance between agents, in pixels. By fitness, only generations keep a distance. */
export const markRadius = ({ dx, dy }: Viewport, { layout }: Places): number =>
  Math.min(LARGEST, 0.4 * (layout === "lanes" ? Math.min(dx, dy) : dx));

let shapes: readonly Path2D[] | null = null;
/** Mark shapes by mutation code, within 5 units of the origin. */
function markShapes(): readonly Path2D[] {
  shapes ??= MUTATION_KINDS.map((kind) => new Path2D(MUTATION_SHAPES[kind].path));
  return shapes;
}

/** Draws agents: coloured by fitness, shaped by mutation kind, with a ring around each generation's best. */
export function drawNodes(drawing: Drawing): void {
  const { context, scene, theme, view, stage } = drawing;
  const { graph, places, columns, scale, fate } = scene;
  const { population } = graph;
  const { first, last, step } = drawnRows(view, stage, places.across);
  const radius = markRadius(view, places);
  if (step === 1 && radius >= 1) {
    // Grouped by fill to set each colour only once; the last group is agents without a fitness.
    const fills = Array.from({ length: theme.fitness.length + 1 }, () => new Path2D());
    const faded = fills.map(() => new Path2D());
    const marks = markShapes();
    for (let row = first; row <= last; row += 1) {
      const x = screenX(view, places.across.of(row));
      for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
        const y = screenY(view, places.of(cell));
        if (y < -LARGEST || y > stage.height + LARGEST) continue;
        const level = fitnessStep(scale, columns.fitness[cell] ?? Number.NaN);
        const paths = fate.survives[cell] === 1 ? fills : faded;
        const path = paths.at(level);
        const shape = radius < SMALLEST_SHAPE ? undefined : marks[columns.mutation_kind[cell] ?? 0];
        if (shape === undefined) path?.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else path?.addPath(shape, new DOMMatrix([radius / 5, 0, 0, radius / 5, x, y]));
      }
    }
    for (const [level, path] of fills.entries()) {
      context.fillStyle = theme.fitness[level] ?? theme.colour["ink-3"];
      context.fill(path);
      context.globalAlpha = 0.45;
      context.fill(faded[level] ?? path);
      context.globalAlpha = 1;
    }
    if (radius >= SMALLEST_SHAPE) drawRings(drawing, first, last, radius);
  }
  const spot = (cell: number, colour: string, width: number): void => {
    ring(drawing, cell, radius + 4, colour, width);
  };
  for (let row = first; row <= last; row += 1) {
    for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
      const index = columns.index[cell];
      if (index === scene.selected) spot(cell, theme.colour.accent, 2.5);
      else if (index === scene.lit) spot(cell, theme.colour.ink, 1.5);
      if (cell === scene.cursor) spot(cell, theme.colour.accent, 1.5);
    }
  }
}

function drawRings(drawing: Drawing, first: number, last: number, radius: number): void {
  for (let row = first; row <= last; row += 1) {
    const best = fittest(drawing.scene.columns, row);
    if (best >= 0) ring(drawing, best, radius + 2, drawing.theme.colour.elite, 1.5);
  }
}

/** A circle around the agent of a cell. */
function ring(
  { context, scene: { graph, places }, view }: Drawing,
  cell: number,
  radius: number,
  colour: string,
  width: number,
): void {
  const x = screenX(view, places.across.of(Math.floor(cell / graph.population)));
  const y = screenY(view, places.of(cell));
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
