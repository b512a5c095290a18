import type { Tracker } from "../Tracker.ts";
import { Sender, type SenderOptions } from "./Sender.ts";

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
