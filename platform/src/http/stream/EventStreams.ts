/** Streams a run's events as server-sent events, numbered, until the run has ended. */
import type { ServerResponse } from "node:http";
import type { Database } from "../../database/Database.ts";
import type { Notifications } from "../../database/Notifications.ts";
import { isEnded } from "../../runs/RunRow.ts";
import type { RunTable } from "../../runs/RunTable.ts";
import { eventsAfter, type RunEvent } from "../../runs/runEvents.ts";
import { ApiError } from "../ApiError.ts";

interface EventStreamsOptions {
  readonly database: Database;
  readonly runs: RunTable;
  readonly changes: Notifications;
  /** Milliseconds of silence after which a keep-alive comment is sent. Default: 15 s. */
  readonly comment_ms?: number;
}

const COMMENT_MS = 15_000;

/** Milliseconds after which a disconnected client should reconnect. */
const RETRY_MS = 3000;

/** Events per database query. */
const PAGE = 100;

/** Maximum number of open streams per key. */
const MOST_OF_KEY = 10;

/** The subject and starting point of one stream. */
interface StreamRequest {
  readonly run: string;
  /** Number of the last event that the client has received; 0 if none. */
  readonly after: number;
  /** ID of the client's key. */
  readonly key: string;
}

export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #ofKey = new Map<string, number>();

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  /** Number of open streams. */
  get open(): number {
    return [...this.#ofKey.values()].reduce((sum, count) => sum + count, 0);
  }

  /** @throws ApiError 429 if the key has too many open streams. */
  require(key: string): void {
    if ((this.#ofKey.get(key) ?? 0) < MOST_OF_KEY) return;
    throw new ApiError(429, `too many event streams: allowed ${MOST_OF_KEY} for a key`, {
      headers: { "Retry-After": "5" },
    });
  }

  /** Writes a run's events until the run ends or the client disconnects. Waits for slow readers. */
  async send(response: ServerResponse, { run, after, key }: StreamRequest): Promise<void> {
    const gone = new AbortController();
    const wakeup = new Wakeup();
    response.once("close", () => {
      gone.abort();
      wakeup.wake();
    });
    const silence = this.#options.changes.listen((id) => {
      if (id === null || id === run) wakeup.wake();
    });
    this.#ofKey.set(key, (this.#ofKey.get(key) ?? 0) + 1);
    try {
      await this.#send(response, { run, after, wakeup, signal: gone.signal });
    } finally {
      silence();
      this.#release(key);
      response.end();
    }
  }

  async #send(
    response: ServerResponse,
    { run, after, wakeup, signal }: { run: string; after: number; wakeup: Wakeup; signal: AbortSignal },
  ): Promise<void> {
    const { database, runs, comment_ms = COMMENT_MS } = this.#options;
    let [seq, progress] = [after, "null"];
    let written = 0;
    const tell = async (text: string): Promise<void> => {
      await write(response, text, signal);
      written = performance.now();
    };
    const read = (from: number): Promise<RunEvent[]> =>
      database.persist(() => eventsAfter(database.query, run, from, PAGE), signal);
    const textOf = ({ kind, payload, at }: RunEvent): string =>
      `event: ${kind}\ndata: ${JSON.stringify({ at: at.getTime(), ...payload })}\n\n`;
    await tell(`retry: ${RETRY_MS}\n\n`);
    while (!signal.aborted) {
      const events = await read(seq);
      for (const event of events) {
        await tell(`id: ${event.seq}\n${textOf(event)}`);
        seq = event.seq;
      }
      if (events.length > 0) continue;
      const row = await database.persist(() => runs.find(run, null), signal);
      if (!row) return;
      if (isEnded(row.state) && row.last_seq <= seq) {
        // A client that already has every event gets the last one again, without its number. Otherwise it
        // would take the end of the stream for a broken connection.
        if (seq === after) for (const event of await read(row.last_seq - 1)) await tell(textOf(event));
        return;
      }
      const now = JSON.stringify(row.progress);
      if (now !== progress && row.progress) await tell(`event: progress\ndata: ${now}\n\n`);
      progress = now;
      // The wait may be interrupted often by changes that produce no event.
      const left = written + comment_ms - performance.now();
      if (left > 0) await wakeup.wait(left);
      else await tell(": still here\n\n");
    }
  }

  #release(key: string): void {
    const left = (this.#ofKey.get(key) ?? 1) - 1;
    if (left === 0) this.#ofKey.delete(key);
    else this.#ofKey.set(key, left);
  }
}

/** Writes, and waits for the buffer to drain if it is full, unless the client disconnects. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      response.off("drain", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    response.once("drain", end);
    signal.addEventListener("abort", end);
  });
}

/** A wake-up signal for one waiter. A call to `wake` while nobody waits is kept for the next `wait`. */
class Wakeup {
  #called = false;
  #waiting: (() => void) | null = null;

  wake(): void {
    this.#called = true;
    this.#waiting?.();
  }

  /** Resolves when {@link wake} is called, or after `milliseconds`. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#called) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
        timer = setTimeout(resolve, milliseconds);
      });
      clearTimeout(timer);
      this.#waiting = null;
    }
    this.#called = false;
  }
}
