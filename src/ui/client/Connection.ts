import type { Coordinator, RunEvent } from "../../workers/protocol.ts";

/** The workbench's line to the coordinator. */
export interface Connection {
  /** Calls reject with an Error to be shown, also when the coordinator is lost while they wait. */
  readonly coordinator: Omit<Coordinator, "subscribe" | "lendSandboxes">;
  /** Hears the events of every run until the returned function is called. */
  onEvent(listener: (event: RunEvent) => void): () => void;
  /** Hears, at most once, that the coordinator is gone for good; at once when it already is. */
  onLost(listener: (reason: Error) => void): () => void;
  /** A page shows a run until the returned function is called; absent where that costs nothing. */
  hold?(run: string): () => void;
  /** Ends the coordinator; what trains in it stops at its last checkpoint. */
  close(): void;
}
