import type { RunStore } from "../storage/index.ts";
import { GrowingHistory, type HistoryColumns, noHistory } from "../tracking/clients.ts";
import { allReports } from "./pastReports.ts";
import type { RunHistory } from "./runHistory.ts";

/** The columns of a run's generations from `from` on, read from the log if they are not in memory. */
export async function readHistoryColumns(
  store: RunStore,
  id: string,
  history: RunHistory,
  from: number,
): Promise<HistoryColumns> {
  const all = new GrowingHistory(noHistory(), history.lengthFrom(from));
  for await (const report of allReports(store, id, history, from)) all.append(report);
  return all.columns;
}
