import type { HistoryColumns } from "../../tracking/clients.ts";

export { MUTATION_KINDS } from "../../tracking/history.ts";
export type { HistoryColumns };

export interface HistoryCalls {
  /** Columns of the generations from `from` on; pass 1 for all. */
  history(id: string, from: number): Promise<HistoryColumns>;
}
