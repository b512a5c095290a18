import type { RunStatus, RunSummary } from "../../../../workers/protocol.ts";

/** What a person can ask of a run, in the words on the buttons. */
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

/** The actions that make sense for a run; the first is the likeliest. */
export const runActions = ({ can, state }: Pick<RunSummary, "can" | "state">): readonly RunAction[] =>
  ACTIONS[state].filter((action) => can.restart || action !== "Start again");

/** What an action does, for those who ask. */
export const ACTION_HINTS: Readonly<Record<RunAction, string>> = {
  "Start again": "Begins a new run with the same manifest, seed and device",
  Pause: "Holds at once, in memory",
  Resume: "Goes on where it was held, or from the last checkpoint",
  "Stop and save": "Ends the run and keeps its last generation",
};
