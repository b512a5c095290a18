import type { RunStatus } from "./RunRow.ts";
import type { NewRunEvent } from "./runEvents.ts";

/** That a run's state changed. @param key What it happened by, once in the run. */
export const stateEvent = (key: string, state: RunStatus, reason: string | null): NewRunEvent => ({
  kind: "state",
  key: `state:${key}`,
  payload: { state, reason },
});
