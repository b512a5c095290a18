import type { RunStatus, RunSummary } from "../../../../workers/protocol.ts";

/** The actions on a run, named after their buttons. */
export type RunAction = "Start again" | "Pause" | "Resume" | "Stop and save";

const ACTIONS: Readonly<Record<RunStatus, readonly RunAction[]>> = {
  queued: ["Stop and save"],
  running: ["Pause", "Stop and save"],
  paused: ["Resume", "Stop and save"],
  stopped: ["Resume", "Start again"],
  interrupted: ["Resume", "Start again"],
  failed: ["Resume", "Start again"],
  finished: ["Start again"],
};

/** The actions that apply to a run; the first is the primary one. */
export const runActions = ({ can, state }: Pick<RunSummary, "can" | "state">): readonly RunAction[] =>
  ACTIONS[state].filter((action) => can.restart || action !== "Start again");

/** Tooltips of the actions. */
export const ACTION_HINTS: Readonly<Record<RunAction, string>> = {
  "Start again": "Begins a new run with the same manifest, seed and device",
  Pause: "Holds at once, in memory",
  Resume: "Goes on where it was held, or from the last checkpoint",
  "Stop and save": "Ends the run and keeps its last generation",
};
