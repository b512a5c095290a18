import { GrowingHistory, type HistoryColumns, noHistory } from "../../../src/tracking/clients.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";

/** The columns of reports. */
export function historyOf(reports: readonly GenerationReport[]): HistoryColumns {
  const history = new GrowingHistory(noHistory());
  for (const report of reports) history.append(report);
  return history.columns;
}
