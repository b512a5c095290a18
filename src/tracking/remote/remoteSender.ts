import type { Tracker } from "../Tracker.ts";
import { Sender, type SenderOptions } from "./Sender.ts";

/** What trackers of all services take. */
export interface RemoteOptions {
  /** Told of an error after which nothing more is sent. */
  readonly onFailure: (tracker: Tracker, error: unknown) => void;
  /** Told that rows wait, or were lost. */
  readonly warn: (message: string) => void;
  readonly wait?: SenderOptions<unknown>["wait"];
  /** Longest that `close` goes on trying, ms. */
  readonly closing_ms?: number;
}

/** Sends a tracker's rows, and tells of what goes wrong under its name. */
export const remoteSender = <T>(
  tracker: Tracker,
  { onFailure, warn, wait, closing_ms }: RemoteOptions,
  own: Pick<SenderOptions<T>, "prepare" | "send" | "fits">,
): Sender<T> =>
  new Sender<T>({
    ...own,
    onFatal: (error) => onFailure(tracker, error),
    onAway: ({ message }) =>
      warn(`${tracker.name}: ${message}; rows wait, and are sent when it is back. Training goes on.`),
    onDropped: (count) =>
      warn(`${tracker.name}: ${count} rows were dropped, the oldest ones, while the server was away`),
    ...(wait && { wait }),
    ...(closing_ms !== undefined && { closing_ms }),
  });
