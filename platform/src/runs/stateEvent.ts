import type { RunStatus } from "./RunRow.ts";
import type { NewRunEvent } from "./runEvents.ts";

/** The event of a changed state. @param key Cause of the change, unique in the run. */
export const stateEvent = (key: string, state: RunStatus, reason: string | null): NewRunEvent => ({
  kind: "state",
  key: `state:${key}`,
  payload: { state, reason },
});
