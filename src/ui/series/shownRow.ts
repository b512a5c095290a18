import type { HistoryColumns } from "../../workers/protocol.ts";

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
