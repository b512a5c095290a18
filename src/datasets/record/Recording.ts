/** Recorded actions of agents, step by step. */
import type { SingleAgentSpace } from "../../rl/spaces.ts";

/** One episode, with one more observation than steps. */
export interface RecordedEpisode {
  readonly id: number;
  /** Seed of the environment's reset. */
  readonly seed: number;
  /** All observations as flat numbers. */
  readonly observations: Float32Array;
  /** All actions as flat numbers, in the environment's format. */
  readonly actions: Float32Array;
  readonly rewards: Float64Array;
  /** Masks of all observations, 1 for each legal choice; null if the environment gave none. */
  readonly masks: Int8Array | null;
  /** Whether the last step ended the task (`terminated`) or was truncated there (`truncated`). */
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface Recording {
  readonly observation_space: SingleAgentSpace;
  readonly action_space: SingleAgentSpace;
  /** Id of the environment. */
  readonly environment: string;
  readonly max_episode_steps: number | null;
  /** Short description of the policy that acted. */
  readonly algorithm: string;
  readonly episodes: readonly RecordedEpisode[];
}

/** Sum of an episode's rewards. */
export const returnOf = ({ rewards }: RecordedEpisode): number => rewards.reduce((sum, x) => sum + x, 0);

/** A growable array of numbers. */
export class Numbers {
  #values = new Float64Array(1024);
  #length = 0;

  add(values: ArrayLike<number>): void {
    if (this.#length + values.length > this.#values.length) {
      const more = new Float64Array(2 * Math.max(this.#values.length, values.length));
      more.set(this.#values);
      this.#values = more;
    }
    this.#values.set(values, this.#length);
    this.#length += values.length;
  }

  get values(): Float64Array {
    return this.#values.slice(0, this.#length);
  }
}
