import type { RemoteApiError } from "../errors/RemoteError.ts";

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
