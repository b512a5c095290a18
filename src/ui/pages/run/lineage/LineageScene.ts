import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import type { FitnessScale } from "../../../series/scales.ts";
import type { LineageFate, LineageGraph } from "../descent/LineageGraph.ts";

/** Everything that a drawing of the lineage shows, independent of the visible part. */
export interface LineageScene {
  readonly graph: LineageGraph;
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
