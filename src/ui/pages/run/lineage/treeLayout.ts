import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { ChartAxis, TreeLayout } from "../../../routes/route.ts";
import type { FitnessScale } from "../../../series/scales.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import { type Across, acrossOf } from "./across.ts";

/** Places of agents: across by generation; down by lane, or by as many lanes as give fitness its resolution. */
export interface Places {
  readonly across: Across;
  readonly layout: TreeLayout;
  /** Number of lanes that the drawing is high. */
  readonly lanes: number;
  /** Fitness at the bottom and at the top; null in a layout by lane. */
  readonly range: FitnessScale | null;
  /** Place of a cell in lanes from the top, between two lanes too. */
  readonly of: (cell: number) => number;
}

/** Lanes that the range of fitness is high. */
const FITNESS_LANES = 33;

/** Places by lane: each agent beside its relatives. */
const byLane = (graph: LineageGraph): Omit<Places, "across"> => ({
  layout: "lanes",
  lanes: graph.population,
  range: null,
  of: (cell) => graph.lane(cell),
});

/** The lane of a fitness in a layout by fitness. */
export const laneOfFitness = ({ low, high }: FitnessScale, fitness: number): number =>
  (FITNESS_LANES - 1) * (high > low ? 1 - (fitness / 2 - low / 2) / (high / 2 - low / 2) : 0.5);

/** Places by fitness, the best at the top. Agents that were not evaluated are where their ancestor was. */
function byFitness(
  graph: LineageGraph,
  { fitness }: Pick<HistoryColumns, "fitness">,
  { low }: FitnessScale,
): Omit<Places, "across"> {
  const high = fitness.reduce((most, one) => (one > most ? one : most), low);
  const range = { low, high };
  const lanes = new Float64Array(fitness.length);
  // Parents are before their children.
  for (const [cell, own] of fitness.entries()) {
    const before = graph.before(cell);
    lanes[cell] = Number.isFinite(own)
      ? laneOfFitness(range, Math.max(low, own))
      : before < 0
        ? FITNESS_LANES - 1
        : (lanes[before] ?? 0);
  }
  return { layout: "fitness", lanes: FITNESS_LANES, range, of: (cell) => lanes[cell] ?? 0 };
}

/**
 * @param axis quantity of the horizontal axis
 * @param scale Few agents are worse than its low end, and are drawn there.
 */
export const placesOf = (
  layout: TreeLayout,
  axis: ChartAxis,
  graph: LineageGraph,
  columns: Pick<HistoryColumns, "fitness" | "generation" | "generations" | "global_step" | "seconds">,
  scale: FitnessScale,
): Places => ({
  across: acrossOf(columns, axis),
  ...(layout === "lanes" ? byLane(graph) : byFitness(graph, columns, scale)),
});

/** The cell `step` places below a cell in its generation, or the last one there. */
export function besideAt(graph: LineageGraph, places: Places, cell: number, step: number): number {
  const { population } = graph;
  const row = Math.floor(cell / population);
  const order = Array.from({ length: population }, (_, lane) => graph.cellAt(row, lane)).toSorted(
    (a, b) => places.of(a) - places.of(b),
  );
  const at = order.indexOf(cell);
  return order[Math.min(population - 1, Math.max(0, at + step))] ?? cell;
}
