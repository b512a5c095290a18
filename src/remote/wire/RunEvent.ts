/** Events that the platform sends about a run (server-sent events). */
import { z } from "zod";

/** States that a run leaves only by a user's action. */
export const FINAL_STATES = ["finished", "stopped", "failed"] as const;

/** Data of a `state` event. The last one of a run has a final state. */
export const StateData = z.looseObject({
  state: z.enum(["queued", "running", "paused", ...FINAL_STATES]),
  /** Reason in plain words; `null` for none. */
  reason: z.string().nullish(),
});

/** Data of any event. */
export const EventData = z.record(z.string(), z.unknown());

/** One event of a run. */
export interface RemoteRunEvent {
  /** Its number in the run, from 1; `null` for events that are sent once and not stored, such as progress. */
  readonly seq: number | null;
  /**
   * "generation", "checkpoint", "warning", "state", ... Reports are the same as
   * those of a local run's observer.
   */
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}
