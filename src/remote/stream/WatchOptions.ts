import type { RemoteApiError } from "../errors/RemoteError.ts";

/** How a run is watched. */
export interface WatchOptions {
  /** Ends the watching; never unless given. */
  readonly signal?: AbortSignal;
  /** Number of the last event that is known; all are told unless given. */
  readonly last_event_id?: number | null;
  /** Seconds without a line after which a connection counts as lost; 60 unless given. */
  readonly idle_timeout?: number;
  /** Told that the connection was lost; it is made again. */
  readonly onLost?: (error: RemoteApiError) => void;
  /** Told that the platform answers: with the first connection, and with each after one that was lost. */
  readonly onConnected?: () => void;
}
