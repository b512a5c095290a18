import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { GrowingHistory } from "../../../src/ui/series/GrowingHistory.ts";
import type { HistoryColumns } from "../../../src/workers/protocol.ts";

/** The columns of a run that has not ended a generation. */
export const emptyHistory = (): HistoryColumns => ({
  from: 1,
  generations: 0,
  population: 0,
  generation: new Float64Array(),
  global_step: new Float64Array(),
  seconds: new Float64Array(),
  at: new Float64Array(),
  index: new Int32Array(),
  parent: new Int32Array(),
  fitness: new Float64Array(),
  score: new Float64Array(),
  steps: new Float64Array(),
  milliseconds: new Float32Array(),
  mutation: new Uint16Array(),
  mutations: [],
  mutation_kind: new Uint8Array(),
  hyperparameters: {},
  metrics: {},
  evaluation: null,
});

/** The columns of reports. */
export function historyOf(reports: readonly GenerationReport[]): HistoryColumns {
  const history = new GrowingHistory(emptyHistory());
  for (const report of reports) history.append(report);
  return history.columns;
}
