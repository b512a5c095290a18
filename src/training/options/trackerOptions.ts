/** Where a run's rows go: options of trainers and training functions. */
import type { z } from "zod";
import type { OptionRules } from "../../specs/checkOptions.ts";
import { CompletionLoggingConfig } from "../../specs/index.ts";
import { parseSpec } from "../../specs/parseSpec.ts";
import type { FileStore } from "../../storage/index.ts";
import {
  BoardTracker,
  CompletionsFile,
  CsvTracker,
  experimentTracker,
  metricColumns,
  parseTrackerKwargs,
  type RowShape,
  Trackers,
} from "../../tracking/index.ts";
import type { MakeTrackers } from "../loop/trainWithOutputs.ts";
import { FLAG, TEXT } from "./optionChecks.ts";

export type CompletionLoggingInput = z.input<typeof CompletionLoggingConfig>;

export interface TrackerOptions {
  /** Scalars for TensorBoard, in event files; false unless given. */
  readonly board?: boolean;
  /** Directory of the runs' event files; "board_logs" unless given. */
  readonly board_log_dir?: string | null;
  /** A CSV file with a row for each generation; false unless given. */
  readonly csv?: boolean;
  /** Path of the CSV file; needed where `csv` is true. */
  readonly csv_log_dir?: string | null;
  /** Weights & Biases, or MLflow where `tracker_kwargs.tracker` is "mlflow"; false unless given. */
  readonly wb?: boolean;
  /** Key of the experiment tracker; WANDB_API_KEY or MLFLOW_TRACKING_TOKEN unless given. */
  readonly tracker_api_key?: string | null;
  /** What the experiment tracker is told: `project`, `name`, `tags` and others (docs/trackers.md). */
  readonly tracker_kwargs?: Readonly<Record<string, unknown>> | null;
  /** Which sampled completions of language models are recorded, and where; for other runs nothing. */
  readonly completion_logging?: CompletionLoggingInput | null;
}

/** What these options may be, wherever they are taken. */
export const TRACKER_RULES: OptionRules = {
  wb: FLAG,
  board: FLAG,
  board_log_dir: TEXT,
  csv: FLAG,
  csv_log_dir: TEXT,
};

interface Named {
  readonly algorithm: string;
  readonly environment: string;
  readonly multi_agent: boolean;
  /** What the run was asked for. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Makes the trackers that are asked for; undefined for none.
 * @throws RangeError for `csv` without its file; TypeError for `tracker_kwargs`.
 */
export function trackersOf(options: TrackerOptions, named: Named): MakeTrackers | undefined {
  const {
    wb,
    board,
    board_log_dir,
    csv,
    csv_log_dir,
    tracker_api_key = null,
    tracker_kwargs = null,
    completion_logging = null,
  } = options;
  const { jsonl_path } = parseSpec(CompletionLoggingConfig, completion_logging ?? {}, "completion_logging");
  if (wb) parseTrackerKwargs(tracker_kwargs);
  if (csv && !csv_log_dir)
    throw new RangeError("csv_log_dir: found nothing, allowed the path of a file, since csv is true");
  if (!wb && !board && !csv && jsonl_path === null) return undefined;
  return async ({ store, shape, warn }) => {
    const onFailure: OnFailure = (...failed) => made.fail(...failed);
    const tracker = wb
      ? await experimentTracker({ tracker_api_key, tracker_kwargs, ...named, store, onFailure, warn })
      : null;
    const made: Trackers = new Trackers(
      [
        ...(tracker ? [tracker] : []),
        ...(board ? [boardOf(store, board_log_dir, named, onFailure)] : []),
        ...(csv && csv_log_dir ? [csvOf(store, csv_log_dir, shape, onFailure)] : []),
        ...(jsonl_path === null ? [] : [new CompletionsFile({ store, path: jsonl_path, onFailure })]),
      ],
      { shape, warn, tables: completion_logging !== null },
    );
    return made;
  };
}

type OnFailure = (...failed: Parameters<Trackers["fail"]>) => void;

const boardOf = (store: FileStore, dir: string | null | undefined, named: Named, onFailure: OnFailure) =>
  new BoardTracker({ store, board_log_dir: dir ?? null, ...named, onFailure });

const csvOf = (store: FileStore, path: string, shape: RowShape, onFailure: OnFailure) =>
  new CsvTracker({ store, path, columns: metricColumns(shape), onFailure });
