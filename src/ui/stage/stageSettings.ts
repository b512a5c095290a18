import type { CastMember, StageTheme } from "../../stage/stageProtocol.ts";
import type { AgentFile } from "../../workers/protocol.ts";
import { trainingCores } from "../lib/capabilities.ts";
import { tokenColours } from "../lib/drawing.ts";
import { FITNESS_STEPS } from "../series/scales.ts";

/** The colours of a stage, in the theme that applies to an element. */
export function stageTheme(place: HTMLElement): StageTheme {
  const steps = Array.from({ length: FITNESS_STEPS }, (_, step) => `fitness-${step + 1}`);
  const colours = tokenColours(place, ["ink", "elite", "line-strong", "surface-2", "line"]);
  const ramp = tokenColours(place, steps);
  return {
    fitness: steps.map((step) => ramp[step] ?? ""),
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

/** An agent on a stage. */
export interface Player extends Pick<CastMember, "copy"> {
  /** Unique key of the player. */
  readonly key: string;
  readonly file: AgentFile;
  /** Whether the file holds a packed policy. */
  readonly packed?: boolean;
  /** Index of the lineage's colour, 0 to 7. */
  readonly colour: number;
  /** Keys of its ancestors, nearest first. */
  readonly ancestors?: readonly string[];
  /** What is new about a copy, in words. */
  readonly note?: string | null;
  /** Whether it is the champion. */
  readonly champion?: boolean;
}

/** A player as a stage takes it, in the colours that apply to an element. */
export function castMember(
  place: HTMLElement,
  { key, file, packed = false, colour, ancestors = [], note = null, champion = false, copy = null }: Player,
): CastMember {
  const { bytes, environment, env_config, module, fitness } = file;
  const name = `slot-${colour}`;
  const shown = tokenColours(place, [name])[name] ?? "";
  // Fitness is that of the agent without noise.
  const look = { colour: shown, fitness: copy ? null : fitness, note, champion };
  return { key, bytes, packed, environment, env_config, module, ancestors, copy, ...look };
}
