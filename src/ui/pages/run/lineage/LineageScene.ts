import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { PlotTheme } from "../../../components/plot/plotTheme.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import type { FitnessScale } from "../../../series/scales.ts";
import type { LineageFate, LineageGraph } from "../descent/LineageGraph.ts";
import { besideAt, type Places } from "./treeLayout.ts";
import type { Stage, Viewport } from "./viewport.ts";

/** Everything that a drawing of the lineage shows, independent of the visible part. */
export interface LineageScene {
  readonly graph: LineageGraph;
  /** Where agents are drawn. */
  readonly places: Places;
  readonly columns: HistoryColumns;
  readonly colours: LineageColours;
  readonly scale: FitnessScale;
  readonly fate: LineageFate;
  /** Index of the agent whose card is open; null for none. */
  readonly selected: number | null;
  /** Index of the agent under the pointer, here or in another view; null for none. */
  readonly lit: number | null;
  /** Cell under the keyboard cursor; -1 for none. */
  readonly cursor: number;
}

/** What a drawing of the lineage needs. The context is in CSS pixels. */
export interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly scene: LineageScene;
  readonly theme: PlotTheme;
  readonly view: Viewport;
  readonly stage: Stage;
}

/** The first cell of each agent born up to a row, newest first. */
export function births(
  { index, population }: Pick<HistoryColumns, "index" | "population">,
  row: number,
): number[] {
  const cells: number[] = [];
  for (let cell = (row + 1) * population - 1; cell >= 0; cell -= 1) {
    const start = Math.floor(cell / population) * population;
    const before = index.subarray(Math.max(0, start - population), start);
    if (before.indexOf(index[cell] ?? -1) < 0) cells.push(cell);
  }
  return cells;
}

/** The cell that a key moves to from a cell; null for keys without a movement. */
export function walk(
  { graph, fate, places }: Pick<LineageScene, "graph" | "fate" | "places">,
  cell: number,
  key: string,
): number | null {
  const { population, generations } = graph;
  switch (key) {
    case "ArrowLeft":
      return graph.before(cell) < 0 ? cell : graph.before(cell);
    case "ArrowRight":
      return successor(graph, fate, cell) ?? cell;
    case "ArrowUp":
      return besideAt(graph, places, cell, -1);
    case "ArrowDown":
      return besideAt(graph, places, cell, 1);
    case "Home":
      return graph.cellAt(0, Math.min(population - 1, graph.lane(cell)));
    case "End":
      return fate.elite[generations - 1] === -1
        ? graph.cellAt(generations - 1, graph.lane(cell))
        : (fate.elite[generations - 1] ?? cell);
    default:
      return null;
  }
}

/**
 * The successor of a cell: preferably an ancestor of the elite, then any surviving lineage, then the rest.
 */
function successor(graph: LineageGraph, fate: LineageFate, cell: number): number | null {
  const row = Math.floor(cell / graph.population) + 1;
  if (row >= graph.generations) return null;
  const children = Array.from({ length: graph.population }, (_, lane) => graph.cellAt(row, lane)).filter(
    (child) => graph.before(child) === cell,
  );
  const rank = (child: number): number =>
    fate.elite[row] === child ? 0 : fate.survives[child] === 1 ? 1 : 2;
  return children.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}
