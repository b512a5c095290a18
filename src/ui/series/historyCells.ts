/** Places in a history's columns: rows are generations, cells are members of a generation. */
import type { HistoryColumns } from "../../workers/protocol.ts";
import type { ChartAxis } from "../routes/route.ts";

/**
 * The row of the shown generation; -1 before the first.
 * @param wanted the route's generation; null or an unknown one selects the newest
 */
export function shownRow(
  { generation, generations }: Pick<HistoryColumns, "generation" | "generations">,
  wanted: number | null,
): number {
  const found = wanted === null ? -1 : generation.indexOf(wanted);
  return found < 0 ? generations - 1 : found;
}

/**
 * The cell of an agent in the last generation, up to a row, in which it was a member; null if it is not yet
 * born.
 */
export function lastCellOf(
  { index, population }: Pick<HistoryColumns, "index" | "population">,
  agent: number,
  row: number,
): number | null {
  // The last occurrence is the newest: an agent's generations have no gaps.
  const cell = index.lastIndexOf(agent, (row + 1) * population - 1);
  return cell < 0 ? null : cell;
}

/** The first cell of an agent; null for none. */
export function firstCellOf({ index }: Pick<HistoryColumns, "index">, agent: number): number | null {
  const cell = index.indexOf(agent);
  return cell < 0 ? null : cell;
}

/** The value of a column in a cell; null if there is none. */
export function valueAt(values: ArrayLike<number>, cell = -1): number | null {
  const value = values[cell] ?? Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/**
 * A column's values along one line of descent: for each row, the value of the agent in `cells`, or null if
 * there is none.
 * @param cells by row; -1 for none
 */
export function lineOfDescent(values: ArrayLike<number>, cells: ArrayLike<number>): (number | null)[] {
  return Array.from(cells, (cell) => valueAt(values, cell));
}

/** The nearest earlier cell along descent that has a value; -1 for none. */
export function valuedBefore(
  graph: { before(cell: number): number },
  values: ArrayLike<number>,
  cell: number,
): number {
  let at = graph.before(cell);
  while (at >= 0 && !Number.isFinite(values[at])) at = graph.before(at);
  return at;
}

/** Positions of all generations on a horizontal axis: steps of the population, generations, or seconds of training. */
export function positionsOf(
  { generation, global_step, seconds }: Pick<HistoryColumns, "generation" | "global_step" | "seconds">,
  axis: ChartAxis,
): Float64Array {
  if (axis === "steps") return global_step;
  if (axis === "generation") return generation;
  let sum = 0;
  return seconds.map((value) => {
    sum += Number.isFinite(value) ? value : 0;
    return sum;
  });
}
