import type { RunSummary } from "../../../../workers/protocol.ts";
import { isRemoteRun } from "../../../../workers/remoteProtocol.ts";

/** Whether a person can steer a run now: one that trains in this browser. */
export const canSteer = (summary: Pick<RunSummary, "id" | "state"> | null): boolean =>
  summary !== null && !isRemoteRun(summary.id) && (summary.state === "running" || summary.state === "paused");
