/**
 * Stores the rows of a run: in TensorBoard's event files, a CSV file, on a server, or in
 * a caller's own object.
 */
import type { HistogramRow, MetricRow } from "./metricRow.ts";

/** How the run ended, for its trackers. */
export interface TrackerEnd {
  /** Whether training ended without an error. */
  readonly ok: boolean;
}

/** Methods never slow training: `row` only queues. Errors end the tracker, not the run. */
export interface Tracker {
  /** Name used in messages. */
  readonly name: string;
  /**
   * Called before training starts.
   * @throws TrackerRefusedError when the run must not start without this tracker.
   */
  open(): Promise<void>;
  /**
   * Adds a generation's row; `step` is `train/global_step`. `histograms` counts how often each of the choices
   * 0 .. n-1 was made.
   */
  row(row: MetricRow, step: number, histograms?: HistogramRow): void;
  /** Adds a table of texts and numbers, for example completions. */
  table?(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void;
  /** Writes all queued data. */
  close(end: TrackerEnd): Promise<void>;
}

/** A requested tracker cannot be used, so the run does not start. */
export class TrackerRefusedError extends Error {
  override readonly name = "TrackerRefusedError";
}
