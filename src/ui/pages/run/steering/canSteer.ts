import type { RunSummary } from "../../../../workers/protocol.ts";

/** Whether the user can steer a run now. */
export const canSteer = (summary: Pick<RunSummary, "can" | "state"> | null): boolean =>
  summary !== null && summary.can.steer && (summary.state === "running" || summary.state === "paused");
