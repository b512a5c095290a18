/** What pictures of environments show: a state of each, and an episode of those that have a trained champion. */
import type { EncodedClip } from "./clip.ts";

/** A recorded episode of a trained champion. */
export interface RecordedChampion {
  readonly clip: EncodedClip;
  /** Seconds between two frames. */
  readonly interval: number;
  readonly algorithm: string;
  /** Mean return of {@link RecordedChampion.episodes} greedy episodes. */
  readonly score: number;
  readonly episodes: number;
  /** The template and the seed that trained it, and the environment's seed of the episode. */
  readonly template: string;
  readonly seed: number;
  readonly episode_seed: number;
}

/** By environment. */
export type RecordedChampions = Readonly<Record<string, RecordedChampion>>;
/** States that drawings take, by environment. */
export type StillStates = Readonly<Record<string, readonly number[]>>;
