import { reasonOf } from "../storage/files.ts";
import { histogramRow, type MetricRow, metricRow, type RowShape } from "./metricRow.ts";
import type { CompletionsReport, TrainingEvent, TrainingObserver } from "./observer.ts";
import { type Tracker, TrackerRefusedError } from "./Tracker.ts";

/** Maximum time that the end of a run waits for its trackers, ms. */
const CLOSING_MS = 30_000;

export interface TrackersOptions {
  readonly shape: RowShape;
  readonly warn: (message: string) => void;
  /** Whether trackers receive tables: the completions of language models. */
  readonly tables?: boolean;
}

/**
 * The trackers of a run. All receive the same rows. One that fails is removed with a warning,
 * and the run continues.
 */
export class Trackers implements TrainingObserver {
  readonly #options: TrackersOptions;
  /** Trackers that have not failed. */
  readonly #open: Set<Tracker>;
  #generation = 0;

  /** @param trackers In the order in which they are called. */
  constructor(trackers: readonly Tracker[], options: TrackersOptions) {
    this.#open = new Set(trackers);
    this.#options = options;
  }

  /**
   * @throws TrackerRefusedError when the run must not start without one of the trackers;
   *   the others are closed.
   */
  async open(): Promise<void> {
    for (const tracker of [...this.#open]) {
      try {
        await tracker.open();
      } catch (error) {
        if (error instanceof TrackerRefusedError) {
          await this.close({ ok: false });
          throw error;
        }
        this.fail(tracker, error);
      }
    }
  }

  on(event: TrainingEvent): void {
    if (this.#open.size === 0) return;
    if (event.event === "completions" && event.level === undefined && this.#options.tables)
      this.#completions(event);
    if (event.event !== "generation") return;
    const row: MetricRow = metricRow(this.#options.shape, event);
    const histograms = histogramRow(event);
    this.#generation = event.generation;
    this.#tell((tracker) => tracker.row(row, event.global_step, histograms));
  }

  #completions({ records }: CompletionsReport): void {
    // The columns of these tables are those of the log of completions, which has no advantages.
    const logged = records.map((record) => {
      const { advantage: _, ...rest } = record;
      return rest;
    });
    const columns = Object.keys(logged[0] ?? {});
    const rows = logged.map((record) => Object.values(record));
    this.#tell((tracker) => tracker.table?.("completions", columns, rows));
  }

  #tell(told: (tracker: Tracker) => void): void {
    for (const tracker of [...this.#open]) {
      try {
        told(tracker);
      } catch (error) {
        this.fail(tracker, error);
      }
    }
  }

  /** Removes one tracker, with one warning. */
  fail(tracker: Tracker, error: unknown): void {
    if (!this.#open.delete(tracker)) return;
    const { name } = tracker;
    this.#options.warn(
      `${name}: ${reasonOf(error)}; data from about generation ${this.#generation} on is not stored there. Training continues; fix this before the next run`,
    );
  }

  /** Closes all trackers, within 30 s. */
  async close(end: { readonly ok: boolean }): Promise<void> {
    const left = [...this.#open];
    const closing = left.map((tracker) =>
      tracker.close(end).catch((error: unknown) => this.fail(tracker, error)),
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), CLOSING_MS);
    });
    const ended = await Promise.race([Promise.all(closing), late]);
    clearTimeout(timer);
    if (ended === "late")
      for (const tracker of left) this.fail(tracker, new Error("did not end within 30 s"));
  }
}
