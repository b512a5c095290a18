/** What agents do, kept step by step. */
import type { SingleAgentSpace } from "../../rl/spaces/index.ts";

/** One episode: one more observation than steps. */
export interface RecordedEpisode {
  readonly id: number;
  /** Of the environment's reset. */
  readonly seed: number;
  /** Numbers of all observations, one after another. */
  readonly observations: Float32Array;
  /** Numbers of all actions, as the environment takes them. */
  readonly actions: Float32Array;
  readonly rewards: Float64Array;
  /** Whether its last step ended the task, and whether it was cut there. */
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface Recording {
  readonly observation_space: SingleAgentSpace;
  readonly action_space: SingleAgentSpace;
  /** Id of the environment. */
  readonly environment: string;
  readonly max_episode_steps: number | null;
  /** Who acted, in a few words. */
  readonly algorithm: string;
  readonly episodes: readonly RecordedEpisode[];
}

/** Numbers that are gathered without knowing how many there will be. */
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
