import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { TreeLayout } from "../../../routes/route.ts";
import type { FitnessScale } from "../../../series/scales.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** Vertical places of agents: their lanes, or as many as give fitness its resolution. */
export interface Places {
  readonly layout: TreeLayout;
  /** Number of lanes that the drawing is high. */
  readonly lanes: number;
  /** Place of a cell in lanes from the top, between two lanes too. */
  readonly of: (cell: number) => number;
}

/** Lanes that the range of fitness is high. */
const FITNESS_LANES = 33;

/** Places by lane: each agent beside its relatives. */
const byLane = (graph: LineageGraph): Places => ({
  layout: "lanes",
  lanes: graph.population,
  of: (cell) => graph.lane(cell),
});

/** Places by fitness, the best at the top. Agents that were not evaluated are where their ancestor was. */
function byFitness(
  graph: LineageGraph,
  { fitness }: Pick<HistoryColumns, "fitness">,
  scale: FitnessScale,
): Places {
  const bottom = FITNESS_LANES - 1;
  const span = scale.high - scale.low;
  const of = (cell: number): number => {
    let at = cell;
    while (at >= 0 && !Number.isFinite(fitness[at])) at = graph.before(at);
    if (at < 0) return bottom;
    const share = span > 0 ? ((fitness[at] ?? scale.low) - scale.low) / span : 0.5;
    return bottom * (1 - Math.min(1, Math.max(0, share)));
  };
  return { layout: "fitness", lanes: FITNESS_LANES, of };
}

/** @param scale Agents beyond its ends are drawn at them. */
export const placesOf = (
  layout: TreeLayout,
  graph: LineageGraph,
  columns: Pick<HistoryColumns, "fitness">,
  scale: FitnessScale,
): Places => (layout === "lanes" ? byLane(graph) : byFitness(graph, columns, scale));

/** The lane of a fitness in a layout by fitness. */
export const laneOfFitness = ({ low, high }: FitnessScale, fitness: number): number =>
  high > low ? (FITNESS_LANES - 1) * (1 - (fitness - low) / (high - low)) : (FITNESS_LANES - 1) / 2;

/** Positions of a cell beside others of its row, from the top: the cell `step` places further; itself at the ends. */
export function besideAt(graph: LineageGraph, places: Places, cell: number, step: number): number {
  const { population } = graph;
  const row = Math.floor(cell / population);
  const order = Array.from({ length: population }, (_, lane) => graph.cellAt(row, lane)).toSorted(
    (a, b) => places.of(a) - places.of(b),
  );
  const at = order.indexOf(cell);
  return order[Math.min(population - 1, Math.max(0, at + step))] ?? cell;
}
