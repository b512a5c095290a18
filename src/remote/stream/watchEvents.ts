/** Yields a run's events once each and in order, reconnecting as needed. */
import { RemoteApiError } from "../errors/RemoteError.ts";
import { withoutSilence } from "../http/withoutSilence.ts";
import { EventData, FINAL_STATES, type RemoteRunEvent, StateData } from "../wire/RunEvent.ts";
import { type ServerEvent, serverEvents } from "./serverEvents.ts";
import type { WatchOptions } from "./WatchOptions.ts";

export interface Connecting {
  /**
   * Opens the stream of the events after `after` (`null` for all) and returns its
   * lines; the signal closes it.
   */
  readonly open: (after: number | null, signal: AbortSignal) => AsyncIterable<string>;
  /** Waits before reconnecting (default: a timer). */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const IDLE_SECONDS = 60;
/** Minimum time limit of the first line in seconds, because it includes connecting. */
const FIRST_SECONDS = 60;
/** Shortest and longest pause before reconnecting, in ms. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const handle = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(handle);
      resolve();
    };
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Whether reconnecting may succeed: no response, too many requests, or a server error. */
const passes = (error: unknown): error is RemoteApiError =>
  error instanceof RemoteApiError &&
  (error.status_code === 0 || error.status_code === 429 || error.status_code >= 500);

/** @throws RemoteApiError for an event that does not fit its schema. */
function runEventOf({ event, data }: ServerEvent, seq: number | null): RemoteRunEvent {
  let content: unknown;
  try {
    content = JSON.parse(data);
  } catch {
    content = undefined;
  }
  const read = (event === "state" ? StateData : EventData).safeParse(content);
  if (read.success) return { seq, event, data: read.data };
  const place = read.error.issues[0]?.path.join(".") || "data";
  throw new RemoteApiError({
    detail: `event ${seq ?? "without id"} (${event}): ${place} has an unexpected format`,
    status_code: 200,
    hint: "The platform may have a different version than this client.",
  });
}

const isFinal = ({ event, data }: RemoteRunEvent): boolean =>
  event === "state" && FINAL_STATES.some((state) => state === data.state);

/** Passes the lines through, and calls `onFirst` at the first one. */
async function* announced(
  lines: AsyncIterable<string>,
  onFirst: (() => void) | undefined,
): AsyncGenerator<string, void, undefined> {
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst) onFirst?.();
    isFirst = false;
    yield line;
  }
}

/** Computes the time to wait before reconnecting. */
class Pause {
  #next = FIRST_PAUSE;
  #asked: number | null = null;

  /** Uses the server's `retry` time once. */
  ask(ms: number): void {
    this.#asked = ms;
  }

  /** Called while the connection works. */
  reset(): void {
    this.#next = FIRST_PAUSE;
  }

  /** The pause in milliseconds. Randomised, so that many clients do not reconnect at once. */
  after(error: RemoteApiError): number {
    const { retry_after } = error.extras;
    const own = this.#asked ?? this.#next * (0.5 + Math.random() / 2);
    this.#asked = null;
    this.#next = Math.min(2 * this.#next, LONGEST_PAUSE);
    return typeof retry_after === "number" ? retry_after * 1000 : own;
  }
}

/**
 * Yields a run's events until its state is final, or the signal aborts. The platform must send the last state
 * on every connection to a run that is over.
 * @throws RemoteAuthError and RemoteApiError if the first connection fails, other than with 429, for a refusal
 *   (4xx except 429), and for an event that does not fit its schema.
 */
export async function* watchEvents(
  { open, wait = timer }: Connecting,
  { signal, last_event_id = null, idle_timeout = IDLE_SECONDS, onLost, onConnected }: WatchOptions,
): AsyncGenerator<RemoteRunEvent, void, undefined> {
  const pause = new Pause();
  const limits = { first: Math.max(idle_timeout, FIRST_SECONDS), later: idle_timeout };
  let last = last_event_id;
  let connected = false;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    const ends = AbortSignal.any([connection.signal, ...(signal ? [signal] : [])]);
    let lost = new RemoteApiError({ detail: "the stream of events ended early", status_code: 0 });
    try {
      const lines = withoutSilence(open(last, ends), limits, end);
      for await (const event of serverEvents(announced(lines, onConnected), (ms) => pause.ask(ms))) {
        connected = true;
        pause.reset();
        const seq = event.id !== null && /^\d+$/.test(event.id) ? Number(event.id) : null;
        const told = runEventOf(event, seq);
        const isKnown = seq !== null && last !== null && seq <= last;
        if (seq !== null && !isKnown) last = seq;
        if (!isKnown) yield told;
        if (isFinal(told)) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // Too many requests pass also before the first event.
      const isBusy = error instanceof RemoteApiError && error.status_code === 429;
      if (!passes(error) || !(connected || isBusy)) throw error;
      lost = error;
    } finally {
      end();
    }
    if (signal?.aborted) return;
    onLost?.(lost);
    await wait(pause.after(lost), signal);
  }
}
