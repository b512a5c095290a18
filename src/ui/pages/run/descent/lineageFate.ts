import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { LineageGraph } from "./LineageGraph.ts";

/** The fate of all agents, seen from one generation. */
export interface LineageFate {
  /** The row of the generation that it is seen from. */
  readonly row: number;
  /** By cell: 1 for agents of that generation and their ancestors. */
  readonly survives: Uint8Array;
  /** By row: the cell of the elite or of its ancestor; -1 if unknown. */
  readonly elite: Int32Array;
}

/** The cell of the fittest member of a row; -1 if none has a fitness. */
export function fittest(
  { population, fitness }: Pick<HistoryColumns, "population" | "fitness">,
  row: number,
): number {
  let best = -1;
  for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
    const value = fitness[cell] ?? Number.NaN;
    if (Number.isFinite(value) && (best < 0 || value > (fitness[best] ?? Number.NaN))) best = cell;
  }
  return best;
}

/** The elite as of a row: the fittest of the last evaluated generation up to it; -1 for none. */
export function eliteAsOf(columns: Pick<HistoryColumns, "population" | "fitness">, row: number): number {
  for (let at = row; at >= 0; at -= 1) {
    const best = fittest(columns, at);
    if (best >= 0) return best;
  }
  return -1;
}

/** Traces descent back from a generation. @param row row of that generation within the graph */
export function lineageFate(
  graph: LineageGraph,
  columns: Pick<HistoryColumns, "population" | "fitness">,
  row: number,
): LineageFate {
  const { population } = graph;
  const survives = new Uint8Array(graph.generations * population);
  const elite = new Int32Array(graph.generations).fill(-1);
  if (row < 0) return { row, survives, elite };
  survives.fill(1, row * population, (row + 1) * population);
  for (let cell = (row + 1) * population - 1; cell >= population; cell -= 1) {
    const before = graph.before(cell);
    if (survives[cell] === 1 && before >= 0) survives[before] = 1;
  }
  let at = eliteAsOf(columns, row);
  while (at >= 0) {
    elite[Math.floor(at / population)] = at;
    at = graph.before(at);
  }
  return { row, survives, elite };
}
