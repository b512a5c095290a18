import type { HistoryColumns } from "../../workers/protocol.ts";

/**
 * The row of the generation that is looked at; -1 before the first.
 * @param wanted generation of the address; null, or one that is not there, for the newest
 */
export function shownRow(
  { generation, generations }: Pick<HistoryColumns, "generation" | "generations">,
  wanted: number | null,
): number {
  const found = wanted === null ? -1 : generation.indexOf(wanted);
  return found < 0 ? generations - 1 : found;
}

/** The last row up to one in which an agent was a member, and its cell; null where it was not yet. */
export function lastCellOf(
  { index, population }: Pick<HistoryColumns, "index" | "population">,
  agent: number,
  row: number,
): number | null {
  // The newest of it: an agent's generations are without a gap.
  const cell = index.lastIndexOf(agent, (row + 1) * population - 1);
  return cell < 0 ? null : cell;
}

/** The first cell of an agent; null for none. */
export function firstCellOf({ index }: Pick<HistoryColumns, "index">, agent: number): number | null {
  const cell = index.indexOf(agent);
  return cell < 0 ? null : cell;
}
