import type { Coordinator, RunEvent } from "../../workers/protocol.ts";

/** The workbench's connection to the coordinator. */
export interface Connection {
  /**
   * Calls reject with an Error whose message can be shown, including when the coordinator is lost while they
   * are pending.
   */
  readonly coordinator: Omit<Coordinator, "subscribe" | "lendSandboxes">;
  /** Subscribes to the events of every run. The returned function unsubscribes. */
  onEvent(listener: (event: RunEvent) => void): () => void;
  /** Calls `listener` at most once, when the coordinator is lost for good; immediately if it already is. */
  onLost(listener: (reason: Error) => void): () => void;
  /**
   * Marks a run as shown by a page until the returned function is called. Absent where holding a run has no
   * effect.
   */
  hold?(run: string): () => void;
  /** Terminates the coordinator; runs that train in it stop and can resume from their last checkpoint. */
  close(): void;
}
