import type { RunStatus, RunSummary } from "../../../../workers/protocol.ts";

/** The actions on a run, named after their buttons. */
export type RunAction = "Run again" | "Pause" | "Resume" | "Stop and save";

const ACTIONS: Readonly<Record<RunStatus, readonly RunAction[]>> = {
  queued: ["Stop and save"],
  running: ["Pause", "Stop and save"],
  paused: ["Resume", "Stop and save"],
  stopped: ["Resume", "Run again"],
  interrupted: ["Resume", "Run again"],
  failed: ["Resume", "Run again"],
  finished: ["Run again"],
};

/** The actions that apply to a run; the first is the primary one. */
export const runActions = ({ can, state }: Pick<RunSummary, "can" | "state">): readonly RunAction[] =>
  ACTIONS[state].filter((action) => can.restart || action !== "Run again");

/** Tooltips of the actions. */
export const ACTION_HINTS: Readonly<Record<RunAction, string>> = {
  "Run again": "Starts a new run with the same manifest, seed and device",
  Pause: "Pauses immediately and keeps the state in memory",
  Resume: "Continues from where it was paused, or from the last checkpoint",
  "Stop and save": "Stops the run and saves the last generation that has ended",
};
