/** Where a run's rows go: options of trainers and training functions. */
import type { FileStore } from "../../storage/index.ts";
import { BoardTracker, CsvTracker, metricColumns, type RowShape, Trackers } from "../../tracking/index.ts";
import type { MakeTrackers } from "../loop/runSession.ts";

export interface TrackerOptions {
  /** Scalars for TensorBoard, in event files; false unless given. */
  readonly board?: boolean;
  /** Directory of the runs' event files; "board_logs" unless given. */
  readonly board_log_dir?: string | null;
  /** A CSV file with a row for each generation; false unless given. */
  readonly csv?: boolean;
  /** Path of the CSV file; needed where `csv` is true. */
  readonly csv_log_dir?: string | null;
  /** Experiment tracker; not available in this build. */
  readonly wb?: boolean;
}

interface Named {
  readonly algorithm: string;
  readonly environment: string;
}

/**
 * Makes the trackers that are asked for; undefined for none.
 * @throws RangeError for `csv` without its file; Error for `wb`, which comes later.
 */
export function trackersOf(
  { wb, board, board_log_dir, csv, csv_log_dir }: TrackerOptions,
  named: Named,
): MakeTrackers | undefined {
  if (wb) throw new Error("wb: experiment tracking is not available yet; leave it out");
  if (csv && !csv_log_dir)
    throw new RangeError("csv_log_dir: found nothing, allowed the path of a file, since csv is true");
  if (!board && !csv) return undefined;
  return ({ store, shape, warn }) => {
    const made: Trackers = new Trackers(
      [
        ...(board ? [boardOf(store, board_log_dir, named, (...failed) => made.fail(...failed))] : []),
        ...(csv && csv_log_dir
          ? [csvOf(store, csv_log_dir, shape, (...failed) => made.fail(...failed))]
          : []),
      ],
      { shape, warn },
    );
    return made;
  };
}

type OnFailure = (...failed: Parameters<Trackers["fail"]>) => void;

const boardOf = (store: FileStore, dir: string | null | undefined, named: Named, onFailure: OnFailure) =>
  new BoardTracker({ store, board_log_dir: dir ?? null, ...named, onFailure });

const csvOf = (store: FileStore, path: string, shape: RowShape, onFailure: OnFailure) =>
  new CsvTracker({ store, path, columns: metricColumns(shape), onFailure });
