import type { RunState } from "./RunRow.ts";
import type { NewRunEvent } from "./runEvents.ts";

/** That a run's state changed. @param key What it happened by, once in the run. */
export const stateEvent = (key: string, state: RunState, reason: string | null): NewRunEvent => ({
  kind: "state",
  key: `state:${key}`,
  payload: { state, reason },
});
