import type { RunStore } from "../storage/index.ts";
import { HistoryColumnsWriter } from "./HistoryColumnsWriter.ts";
import { allReports } from "./pastReports.ts";
import type { HistoryColumns } from "./protocol/HistoryColumns.ts";
import type { RunHistory } from "./runHistory.ts";

/** The columns of a run's generations from `from` on, read from the log if they are not in memory. */
export async function readHistoryColumns(
  store: RunStore,
  id: string,
  history: RunHistory,
  from: number,
): Promise<HistoryColumns> {
  const columns = new HistoryColumnsWriter(from, history.lengthFrom(from), history.population);
  for await (const report of allReports(store, id, history, from)) columns.add(report);
  return columns.done();
}
