/** Tracking options of trainers and training functions. */
import type { z } from "zod";
import { CompletionLoggingConfig } from "../../manifests/index.ts";
import { FLAG, OBJECT, type OptionRules, parseSpec, TEXT } from "../../specs/checks.ts";
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
} from "../../tracking/clients.ts";
import { globalStep, type LoopState } from "../loop/Workload.ts";

type CompletionLoggingInput = z.input<typeof CompletionLoggingConfig>;

export interface TrackerOptions {
  /** Whether to write scalars to TensorBoard event files (default: false). */
  readonly board?: boolean;
  /** Directory of the runs' event files (default: "board_logs"). */
  readonly board_log_dir?: string | null;
  /** Whether to write a CSV file with a row for each generation (default: false). */
  readonly csv?: boolean;
  /** Path of the CSV file; required if `csv` is true. A resumed run keeps its rows, a new one replaces the file. */
  readonly csv_log_dir?: string | null;
  /**
   * Whether to log to Weights & Biases, or to MLflow if `tracker_kwargs.tracker` is "mlflow" (default:
   * false).
   */
  readonly wb?: boolean;
  /** API key of the experiment tracker (default: WANDB_API_KEY or MLFLOW_TRACKING_TOKEN). */
  readonly tracker_api_key?: string | null;
  /** Options of the experiment tracker: `project`, `name`, `tags` and others (docs/trackers.md). */
  readonly tracker_kwargs?: Readonly<Record<string, unknown>> | null;
  /** Which sampled completions of language models are recorded, and where; other runs ignore it. */
  readonly completion_logging?: CompletionLoggingInput | null;
}

/** Rules for these options. */
export const TRACKER_RULES: OptionRules = {
  wb: FLAG,
  board: FLAG,
  board_log_dir: TEXT,
  csv: FLAG,
  csv_log_dir: TEXT,
  tracker_api_key: TEXT,
  tracker_kwargs: OBJECT,
};

/** Makes the trackers of a run. */
export type MakeTrackers = (context: {
  readonly store: FileStore;
  readonly shape: RowShape;
  /** What the run starts from: files of a run that goes on are continued. */
  readonly state: Pick<LoopState, "generation" | "members">;
  readonly warn: (message: string) => void;
}) => Promise<Trackers>;

interface Named {
  readonly algorithm: string;
  readonly environment: string;
  readonly multi_agent: boolean;
  /** The run's settings. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Makes the requested trackers; undefined if there are none.
 * @throws RangeError for `csv` without its path; TypeError for invalid `tracker_kwargs`.
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
  return async ({ store, shape, state, warn }) => {
    const onFailure: OnFailure = (...failed) => made.fail(...failed);
    const tracker = wb
      ? await experimentTracker({ tracker_api_key, tracker_kwargs, ...named, store, onFailure, warn })
      : null;
    const made: Trackers = new Trackers(
      [
        ...(tracker ? [tracker] : []),
        ...(board ? [boardOf(store, board_log_dir, named, onFailure)] : []),
        ...(csv && csv_log_dir
          ? [
              new CsvTracker({
                store,
                path: csv_log_dir,
                columns: metricColumns(shape),
                from: globalStep(state),
                onFailure,
              }),
            ]
          : []),
        ...(jsonl_path === null
          ? []
          : [new CompletionsFile({ store, path: jsonl_path, from: state.generation, onFailure })]),
      ],
      { shape, warn, tables: completion_logging !== null },
    );
    return made;
  };
}

type OnFailure = (...failed: Parameters<Trackers["fail"]>) => void;

const boardOf = (store: FileStore, dir: string | null | undefined, named: Named, onFailure: OnFailure) =>
  new BoardTracker({ store, board_log_dir: dir ?? null, ...named, onFailure });
