import type { StageTheme } from "../../stage/stageProtocol.ts";
import { trainingCores } from "../lib/capabilities.ts";
import { tokenColours } from "../lib/colours.ts";

/** The colours of a stage, in the theme that applies to an element. */
export function stageTheme(place: HTMLElement): StageTheme {
  const colours = tokenColours(place, ["ink", "elite", "line-strong", "surface-2", "line"]);
  return {
    ink: colours.ink,
    accent: colours.elite,
    muted: colours["line-strong"],
    ground: colours["surface-2"],
    line: colours.line,
  };
}

/** Share of the time of all training threads. */
const BESIDE_TRAINING = 0.1;
/** Share of the time of the stage's own thread. */
const MOST = 0.5;

/**
 * Share of one thread's time that a stage may use: half, or during training at most a tenth of the training
 * threads' time.
 */
export const stageShare = (training: boolean): number =>
  training ? Math.min(MOST, BESIDE_TRAINING * trainingCores()) : MOST;

/** Whether the user prefers reduced motion. */
export const wantsStillness = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
