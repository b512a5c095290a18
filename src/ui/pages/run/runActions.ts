import type { RunState } from "../../../workers/protocol.ts";

/** What a person can ask of a run, in the words on the buttons. */
export type RunAction = "Start" | "Pause" | "Resume" | "Stop";

const ACTIONS: Readonly<Record<RunState, readonly RunAction[]>> = {
  running: ["Pause", "Stop"],
  paused: ["Resume", "Stop"],
  stopped: ["Resume", "Start"],
  interrupted: ["Resume", "Start"],
  failed: ["Resume", "Start"],
  finished: ["Start"],
};

/** The actions that make sense in a state; the first is the likeliest. "Start" begins a new run like this one. */
export const runActions = (state: RunState): readonly RunAction[] => ACTIONS[state];

/** What an action does, for those who ask. */
export const ACTION_HINTS: Readonly<Record<RunAction, string>> = {
  Start: "Begins a new run with the same manifest, seed and device",
  Pause: "Holds at once, in memory",
  Resume: "Goes on where it was held, or from the last checkpoint",
  Stop: "Ends the run and keeps its last generation",
};
