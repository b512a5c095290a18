import type {
  Action,
  HostEnvironment,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../../../src/rl/faces.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";

/** An episode as its environment saw it. */
interface Episode {
  readonly seed: number | undefined;
  readonly actions: number[];
}

/** Episodes of a few steps whose return is whatever `level` says, and a record of all that was done in them. */
export class LevelEnvironment implements HostEnvironment<Float32Array> {
  readonly observation_space = new Box({ low: -1, high: 1, shape: [2] });
  readonly action_space = new Discrete(2);
  readonly spec: { readonly id: string; readonly max_episode_steps: number };
  readonly episodes: Episode[] = [];
  readonly #length: number;
  readonly #level: () => number;
  #step = 0;

  constructor(level: () => number, { id = "Level-v0", length = 4 } = {}) {
    this.#level = level;
    this.#length = length;
    this.spec = { id, max_episode_steps: length };
  }

  reset({ seed }: ResetOptions = {}): ResetResult<Float32Array> {
    this.#step = 0;
    this.episodes.push({ seed, actions: [] });
    return { observation: this.#observation(), info: {} };
  }

  step(action: Action): StepResult<Float32Array> {
    this.episodes.at(-1)?.actions.push(Number(action));
    this.#step++;
    return {
      observation: this.#observation(),
      reward: this.#step === this.#length ? this.#level() : 0,
      terminated: this.#step === this.#length,
      truncated: false,
      info: {},
    };
  }

  #observation = (): Float32Array => Float32Array.of(0.5, this.#step / this.#length);
}
