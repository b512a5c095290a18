/** Yields a run's events once each and in order, reconnecting as needed. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { Backoff, inTime, pause } from "../http/waiting.ts";
import { RemoteApiError } from "./errors/RemoteError.ts";
import { silenceOf } from "./RemoteHttp.ts";
import { EventData, FINAL_STATES, type RemoteRunEvent, StateData } from "./wire.ts";

/** Options for watching a run. */
export interface WatchOptions {
  /** Stops watching (default: never). */
  readonly signal?: AbortSignal;
  /** Id of the last event already received (default: none, so all events are sent). */
  readonly last_event_id?: number | null;
  /** Seconds without a line after which a connection counts as lost (default: 60). */
  readonly idle_timeout?: number;
  /** Called when the connection is lost, before reconnecting. */
  readonly onLost?: (error: RemoteApiError) => void;
  /** Called when the platform starts to send: on the first connection and after each reconnection. */
  readonly onConnected?: () => void;
}

interface Connecting {
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
/** Longest pause before reconnecting, in ms. */
const LONGEST_PAUSE = 30_000;

/** Whether reconnecting may succeed: no response, too many requests, or a server error. */
const passes = (error: unknown): error is RemoteApiError =>
  error instanceof RemoteApiError &&
  (error.status_code === 0 || error.status_code === 429 || error.status_code >= 500);

/** @throws RemoteApiError for an event that does not fit its schema. */
function runEventOf({ event = "message", data }: EventSourceMessage, seq: number | null): RemoteRunEvent {
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

/**
 * Passes lines through while they arrive in time, at first within `first` seconds, then within `later`. The consumer's own
 * time does not count.
 *
 * @param end Closes the connection.
 * @param onFirst Called at the first line.
 */
async function* withoutSilence(
  lines: AsyncIterable<string>,
  { first, later }: { readonly first: number; readonly later: number },
  end: () => void,
  onFirst: (() => void) | undefined,
): AsyncGenerator<string, void, undefined> {
  let limit = first;
  const iterator = lines[Symbol.asyncIterator]();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const next = await inTime(iterator.next(), silenceOf(limit, end));
      if (next.done) return;
      if (isFirst) onFirst?.();
      limit = later;
      yield next.value;
    }
  } finally {
    await iterator.return?.(undefined).catch(() => undefined);
  }
}

/**
 * Yields the server-sent events of a stream. An incomplete event at the end is dropped.
 *
 * @param onRetry Called with the time to wait before reconnecting, in ms.
 * @internal
 */
export async function* serverEvents(
  lines: AsyncIterable<string>,
  onRetry: (ms: number) => void,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const whole: EventSourceMessage[] = [];
  const parser = createParser({ onRetry, onEvent: (event) => whole.push(event) });
  for await (const line of lines) {
    parser.feed(`${line}\n`);
    yield* whole.splice(0);
  }
}

/**
 * Yields a run's events until its state is final, or the signal aborts. The platform must send the last state
 * on every connection to a run that is over.
 * @throws RemoteAuthError and RemoteApiError if the first connection fails, other than with 429, for a refusal
 *   (4xx except 429), and for an event that does not fit its schema.
 */
export async function* watchEvents(
  { open, wait = pause }: Connecting,
  { signal, last_event_id = null, idle_timeout = IDLE_SECONDS, onLost, onConnected }: WatchOptions,
): AsyncGenerator<RemoteRunEvent, void, undefined> {
  const backoff = new Backoff(LONGEST_PAUSE);
  /** The pause that the server asked for, in ms; used once. */
  let asked: number | null = null;
  const limits = { first: Math.max(idle_timeout, FIRST_SECONDS), later: idle_timeout };
  let last = last_event_id;
  let connected = false;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    const ends = AbortSignal.any([connection.signal, ...(signal ? [signal] : [])]);
    let lost = new RemoteApiError({ detail: "the stream of events ended early", status_code: 0 });
    try {
      const lines = withoutSilence(open(last, ends), limits, end, onConnected);
      const onRetry = (ms: number): void => {
        asked = ms;
      };
      for await (const event of serverEvents(lines, onRetry)) {
        connected = true;
        backoff.reset();
        const seq = event.id !== undefined && /^\d+$/.test(event.id) ? Number(event.id) : null;
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
    const own = backoff.next();
    const { retry_after } = lost.extras;
    await wait(typeof retry_after === "number" ? retry_after * 1000 : (asked ?? own), signal);
    asked = null;
  }
}
