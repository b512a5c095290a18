/** Files with a run's metrics for the user, written by the trackers. */
import type { TrainingManifest } from "../../manifests/index.ts";
import { baseName, type FileStore, memoryFileStore } from "../../storage/index.ts";
import { BoardTracker, CsvTracker, type GenerationRow, type Tracker } from "../../tracking/clients.ts";
import {
  type DiversityRanges,
  EvolutionTally,
  histogramRow,
  metricColumns,
  metricRow,
  type RowShape,
} from "../../tracking/history.ts";
import { type Member, rowShapeOf } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { Download } from "../protocol/stored.ts";

export interface ToldRun {
  readonly algorithm: string;
  readonly environment: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly shape: RowShape;
  /** Ranges of the hyperparameters that mutate. */
  readonly ranges: DiversityRanges;
  readonly reports: AsyncIterable<GenerationRow>;
}

/**
 * The names and the row shape of a run.
 * @param members Some of its members.
 * @param population Number of members.
 */
export const toldAs = (
  manifest: TrainingManifest,
  seed: number,
  members: readonly Member[],
  population: number,
): Pick<ToldRun, "algorithm" | "environment" | "shape" | "ranges"> => {
  const prepared = workloadOf(manifest).runs.prepare(manifest, seed);
  const [first] = members;
  return {
    algorithm: manifest.algorithm.name,
    environment: manifest.environment.name,
    shape: { ...rowShapeOf(members, prepared), members: population },
    ranges: (first && prepared.workload.evolved(first).hp_config?.parameters) ?? {},
  };
};

/** The metrics as a CSV file, one row per generation. */
export async function metricsFile(run: ToldRun): Promise<Download> {
  const store = memoryFileStore();
  const path = `${run.environment}-${run.algorithm}-metrics.csv`.replaceAll("/", "-");
  await tell(new CsvTracker({ store, path, columns: metricColumns(run.shape) }), run);
  return { name: path, type: "text/csv", bytes: await fileOf(store, path) };
}

/**
 * The metrics as a TensorBoard event file. A generation's time is the start plus the seconds of all
 * generations up to it.
 */
export async function eventsFile(run: ToldRun): Promise<Download> {
  const store = memoryFileStore();
  let time = run.started;
  const board = new BoardTracker({ store, ...run, now: () => time });
  await tell(board, run, ({ seconds }) => {
    time += 1000 * seconds;
  });
  return {
    name: baseName(board.path),
    type: "application/octet-stream",
    bytes: await fileOf(store, board.path),
  };
}

const fileOf = async (store: FileStore, path: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await store.read(path));

async function tell(
  tracker: Tracker,
  { shape, ranges, reports }: ToldRun,
  before: (report: GenerationRow) => void = () => undefined,
): Promise<void> {
  const tally = new EvolutionTally();
  await tracker.open();
  for await (const report of reports) {
    before(report);
    const evolution = tally.add(report).report(ranges);
    tracker.row(metricRow(shape, { ...report, evolution }), report.global_step, histogramRow(report));
  }
  await tracker.close({ ok: true });
}
