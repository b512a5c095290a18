/** What the platform tells of a run while it trains (server-sent events). */
import { z } from "zod";

/** States in which a run stays until somebody acts. */
export const FINAL_STATES = ["finished", "stopped", "failed"] as const;

/** The data of an event `state`, the last one of which has a final state. */
export const StateData = z.looseObject({
  state: z.enum(["queued", "running", "paused", ...FINAL_STATES]),
  /** Why, in plain words; null for nothing to say. */
  reason: z.string().nullish(),
});

/** The data of every event. */
export const EventData = z.record(z.string(), z.unknown());

/** One event of a run. */
export interface RemoteRunEvent {
  /** Its number in the run, from 1; null for what is told once and not kept, such as progress. */
  readonly seq: number | null;
  /** "generation", "checkpoint", "warning", "state", ...: reports are those of a local run's observer. */
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}
