/** What keeps the rows of a run somewhere: TensorBoard's files, a CSV file, a server, a caller's own object. */
import type { HistogramRow, MetricRow } from "./metricRow.ts";

/** How the run ended for its trackers. */
export interface TrackerEnd {
  /** Whether training ended without an error. */
  readonly ok: boolean;
}

/** Methods never slow training: `row` only queues. Errors end the tracker, not the run. */
export interface Tracker {
  /** For messages. */
  readonly name: string;
  /** Before training starts. @throws TrackerRefusedError when the run must not start without it. */
  open(): Promise<void>;
  /** A generation's row; `step` is `train/global_step`. `histograms`: how often each of the choices 0 .. n-1 was made. */
  row(row: MetricRow, step: number, histograms?: HistogramRow): void;
  /** A table of texts and numbers, completions for example. */
  table?(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void;
  /** Writes what is queued. */
  close(end: TrackerEnd): Promise<void>;
}

/** A tracker that was asked for and cannot be used: the run does not start. */
export class TrackerRefusedError extends Error {
  override readonly name = "TrackerRefusedError";
}
