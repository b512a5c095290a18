import { concatBytes } from "@noble/hashes/utils.js";
import { type FileStore, joinPath } from "../../storage/index.ts";
import type { HistogramRow, MetricRow } from "../metricRow.ts";
import type { Tracker } from "../Tracker.ts";
import { WriteQueue } from "../WriteQueue.ts";
import { rowRecord, startRecord, versionRecord } from "./eventRecord.ts";

export interface BoardOptions {
  /** Called for the first failed write, after which nothing more is written. */
  readonly onFailure?: (tracker: Tracker, error: unknown) => void;
  readonly store: FileStore;
  /** Parent directory of the runs' directories (default: "board_logs"). */
  readonly board_log_dir?: string | null;
  readonly algorithm: string;
  readonly environment: string;
  /** Start of the run, milliseconds since 1970 (default: now). */
  readonly started?: number;
  /** Returns the time of a row, milliseconds since 1970 (default: the system clock). */
  readonly now?: () => number;
}

/** Local time as MMDDYYYYhhmmss. */
export function timestampOf(date: Date): string {
  const two = (value: number): string => `${value}`.padStart(2, "0");
  const day = `${two(date.getMonth() + 1)}${two(date.getDate())}${date.getFullYear()}`;
  return `${day}${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}

const plain = (name: string): string => name.replaceAll("/", "-");

/** Process id, if there is one: part of the file's name, which must differ between processes. */
const processId = (): number =>
  (globalThis as { readonly process?: { readonly pid?: number } }).process?.pid ?? 0;

/** Scalars of a run for TensorBoard, in an event file; flushed every generation. */
export class BoardTracker implements Tracker {
  readonly name = "board";
  /** Directory of the run's events. */
  readonly directory: string;
  readonly #store: FileStore;
  /** Path of the event file. */
  readonly path: string;
  readonly #now: () => number;
  readonly #queue: WriteQueue<Uint8Array>;
  #goesOn = false;

  constructor({
    store,
    board_log_dir,
    algorithm,
    environment,
    now = Date.now,
    started = now(),
    onFailure,
  }: BoardOptions) {
    const name = `${plain(algorithm)}-${plain(environment)}-${timestampOf(new Date(started))}`;
    this.directory = joinPath(board_log_dir ?? "board_logs", name);
    const seconds = Math.floor(started / 1000);
    this.path = joinPath(this.directory, `events.out.tfevents.${seconds}.rlkit.${processId()}`);
    this.#store = store;
    this.#now = now;
    this.#queue = new WriteQueue(
      (records) => store.append(this.path, concatBytes(...records)),
      (error) => onFailure?.(this, error),
    );
  }

  async open(): Promise<void> {
    const files = await this.#store.list(this.directory);
    this.#goesOn = files.some(({ name }) => name.startsWith("events.out.tfevents."));
    this.#queue.add(versionRecord(this.#now() / 1000));
    await this.#queue.flush();
  }

  row(row: MetricRow, step: number, histograms?: HistogramRow): void {
    const now = this.#now() / 1000;
    if (this.#goesOn) this.#queue.add(startRecord(now, step));
    this.#goesOn = false;
    this.#queue.add(rowRecord(now, step, row, histograms));
  }

  async close(): Promise<void> {
    await this.#queue.flush();
  }
}
