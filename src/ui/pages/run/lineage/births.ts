import type { HistoryColumns } from "../../../../workers/protocol.ts";

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
