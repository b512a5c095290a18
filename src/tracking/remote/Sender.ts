/** Rows on their way to a server: in order, not too often, again when the server was away. */
import { ServerError } from "./TrackerHttp.ts";

export interface SenderOptions<T> {
  /** Before the first row goes; again when it fails in a way that passes. */
  readonly prepare: () => Promise<void>;
  /** Sends rows. A repeat after a failure begins with the same rows. */
  readonly send: (rows: readonly T[]) => Promise<void>;
  /** How many of the first rows fit into one request; at least one. */
  readonly fits: (rows: readonly T[]) => number;
  /** An error after which nothing more is sent. */
  readonly onFatal: (error: unknown) => void;
  /** The server went away, or comes no more in time. */
  readonly onAway: (error: ServerError) => void;
  /** Rows had to be dropped. */
  readonly onDropped: (count: number) => void;
  /** Waits; a timer unless given. */
  readonly wait?: (ms: number, woken: Promise<void>) => Promise<void>;
  /** Longest that `close` goes on trying, ms; 25,000 unless given. */
  readonly closing_ms?: number;
  /** Random numbers in [0, 1) for pauses, so that many clients do not come back at once. */
  readonly jitter?: () => number;
}

/** Shortest time between requests, ms. */
const INTERVAL = 2000;
/** Pauses after failures, ms. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/** Less than a run waits for its trackers at its end. */
const CLOSING = 25_000;
/** Rows that are kept while the server is away. */
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
  /** Rows at the front that were sent at least once, without an answer that says so. */
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
      // What the server may have already keeps its place.
      this.#rows.splice(this.#tried, 1);
      this.#dropped++;
    }
    this.#running ??= this.#run();
  }

  /**
   * Sends what is left, without pauses between requests that succeed.
   * @throws Error when the server did not come back in time; nothing goes on in the background then.
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
      throw new Error(`the server did not come back, and ${this.#rows.length} rows were not sent`);
  }

  async #run(): Promise<void> {
    let pause = FIRST_PAUSE;
    while (!this.#over && !this.#gaveUp && (this.#rows.length > 0 || !this.#prepared)) {
      try {
        if (!this.#prepared) await this.#options.prepare();
        this.#prepared = true;
        if (this.#rows.length > 0) await this.#sendSome();
        pause = FIRST_PAUSE;
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
        const { jitter = Math.random } = this.#options;
        await this.#pause(error.retryAfter ?? pause * (0.5 + jitter() / 2));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
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
