/** Sends rows to a server in order, with a minimum interval, and retries while the server is unavailable. */
import { Backoff } from "../../http/waiting.ts";
import { type Tracker, TrackerRefusedError } from "../Tracker.ts";
import { isOriginRefused, ServerError } from "./TrackerHttp.ts";

interface SenderOptions<T> {
  /** Called before the first row is sent; called again after a temporary failure. */
  readonly prepare: () => Promise<void>;
  /** Sends rows. A retry after a failure starts with the same rows. */
  readonly send: (rows: readonly T[]) => Promise<void>;
  /** How many of the first rows fit into one request; at least one. */
  readonly fits: (rows: readonly T[]) => number;
  /** Called for an error after which nothing more is sent. */
  readonly onFatal: (error: unknown) => void;
  /** Called when the server becomes unavailable or too slow. */
  readonly onAway: (error: ServerError) => void;
  /** Called with the number of rows that had to be dropped. */
  readonly onDropped: (count: number) => void;
  /** Waits for a time or until woken. Defaults to a timer. */
  readonly wait?: (ms: number, woken: Promise<void>) => Promise<void>;
  /** Maximum time for which `close` retries, ms (default: 25,000). */
  readonly closing_ms?: number;
}

/** Minimum time between requests, ms. */
const INTERVAL = 2000;
/** Longest pause after a failure, ms. */
const LONGEST_PAUSE = 60_000;
/** Shorter than the time that a run waits for its trackers at its end. */
const CLOSING = 25_000;
/** Maximum rows kept while the server is unavailable. */
const MOST_ROWS = 10_000;

async function timer(ms: number, woken: Promise<void>): Promise<void> {
  let handle: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([
    woken,
    new Promise<void>((resolve) => {
      handle = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(handle);
}

export class Sender<T> {
  readonly #options: SenderOptions<T>;
  #rows: T[] = [];
  /** Rows at the front that were sent at least once without a confirmation. */
  #tried = 0;
  #dropped = 0;
  #prepared = false;
  #closing = false;
  #over = false;
  #gaveUp = false;
  #wasAway = false;
  #wake: () => void = () => {};
  #running: Promise<void> | null = null;

  constructor(options: SenderOptions<T>) {
    this.#options = options;
  }

  add(row: T): void {
    if (this.#over) return;
    this.#rows.push(row);
    if (this.#rows.length > MOST_ROWS) {
      // Rows that the server may already have keep their place.
      this.#rows.splice(this.#tried, 1);
      this.#dropped++;
    }
    this.#running ??= this.#run();
  }

  /**
   * Sends the remaining rows, without pauses between successful requests.
   * @throws Error if the server did not respond in time; then nothing continues in the background.
   */
  async close(): Promise<void> {
    this.#closing = true;
    this.#wake();
    const deadline = setTimeout(() => {
      this.#gaveUp = true;
      this.#wake();
    }, this.#options.closing_ms ?? CLOSING);
    this.#running ??= this.#run();
    await this.#running;
    clearTimeout(deadline);
    if (this.#dropped > 0) this.#options.onDropped(this.#dropped);
    if (this.#gaveUp && (this.#rows.length > 0 || !this.#prepared))
      throw new Error(`the server did not respond again, and ${this.#rows.length} rows were not sent`);
  }

  async #run(): Promise<void> {
    const backoff = new Backoff(LONGEST_PAUSE);
    while (!this.#over && !this.#gaveUp && (this.#rows.length > 0 || !this.#prepared)) {
      try {
        if (!this.#prepared) await this.#options.prepare();
        this.#prepared = true;
        if (this.#rows.length > 0) await this.#sendSome();
        backoff.reset();
        this.#wasAway = false;
        if (!this.#closing) await this.#pause(INTERVAL);
      } catch (error) {
        if (!(error instanceof ServerError) || !error.passes) {
          this.#over = true;
          this.#options.onFatal(error);
          break;
        }
        if (!this.#wasAway) this.#options.onAway(error);
        this.#wasAway = true;
        const own = backoff.next();
        await this.#pause(error.retryAfter ?? own);
      }
    }
    this.#running = null;
  }

  async #sendSome(): Promise<void> {
    const count = Math.max(1, Math.min(this.#rows.length, this.#options.fits(this.#rows)));
    this.#tried = Math.max(this.#tried, count);
    await this.#options.send(this.#rows.slice(0, count));
    this.#rows.splice(0, count);
    this.#tried -= count;
  }

  async #pause(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await (this.#options.wait ?? timer)(ms, woken);
  }
}

/** Options of all remote trackers. */
export interface RemoteOptions {
  /** Called for an error after which nothing more is sent. */
  readonly onFailure: (tracker: Tracker, error: unknown) => void;
  /** Called with a message when rows are waiting or were lost. */
  readonly warn: (message: string) => void;
  readonly wait?: SenderOptions<unknown>["wait"];
  /** Maximum time for which `close` retries, ms. */
  readonly closing_ms?: number;
}

/** Sends a tracker's rows and reports errors with the tracker's name. */
export const remoteSender = <T>(
  tracker: Tracker,
  { onFailure, warn, wait, closing_ms }: RemoteOptions,
  own: Pick<SenderOptions<T>, "prepare" | "send" | "fits">,
): Sender<T> =>
  new Sender<T>({
    ...own,
    onFatal: (error) => onFailure(tracker, error),
    onAway: ({ message }) =>
      warn(`${tracker.name}: ${message}; rows are queued until it responds again. Training continues.`),
    onDropped: (count) =>
      warn(`${tracker.name}: ${count} rows, the oldest ones, were dropped while the server did not respond`),
    ...(wait && { wait }),
    ...(closing_ms !== undefined && { closing_ms }),
  });

/**
 * Prepares a server when a run starts. One that is unavailable may be back when the first row is sent.
 * @param refused The message for a server that refuses the key.
 * @throws TrackerRefusedError for a key or an origin that the server rejects.
 */
export async function openServer(prepare: () => Promise<void>, refused: string): Promise<void> {
  try {
    await prepare();
  } catch (error) {
    if (error instanceof ServerError && error.refused) throw new TrackerRefusedError(refused);
    if (isOriginRefused(error)) throw new TrackerRefusedError(`wb: ${error.message}`);
    if (!(error instanceof ServerError && error.passes)) throw error;
  }
}
