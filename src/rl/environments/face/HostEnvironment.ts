/** The interface of single-agent environments that the host steps, as in Gymnasium. */

import type { Space, SpaceElement, SpaceValue } from "../../spaces.ts";
import type { RenderTarget } from "../drawing/drawing.ts";

/** Options of an environment: plain data under Gymnasium's names, such as LunarLander's `enable_wind`. */
export type EnvironmentOptions = Readonly<Record<string, unknown>>;

/** One frame to draw, as plain data. */
export interface RenderFrame {
  /** Id of the environment. */
  readonly id: string;
  /** Options that the environment was made with (default: none). */
  readonly options?: EnvironmentOptions;
  /** State, in the environment's own layout. */
  readonly state: Float32Array;
  /** Last action (the first element of a vector); null before the first action. */
  readonly action: number | null;
}

/** Additional information about a step. Training reads only `action_mask` and `is_success`, if present. */
export type Info = Readonly<Record<string, unknown>>;

/** One action: an index for a Discrete space, otherwise its elements in row-major order. */
export type Action = SpaceValue;

export interface EnvironmentSpec {
  readonly id: string;
  /** Steps after which an episode is truncated; null means no limit. */
  readonly max_episode_steps: number | null;
  readonly reward_threshold?: number | null;
}

export interface ResetOptions {
  /** Seeds the environment's random numbers. If unset, their sequence continues, with a random first seed. */
  readonly seed?: number;
  /** The environment's own reset options. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ResetResult<Observation extends SpaceElement = SpaceElement> {
  readonly observation: Observation;
  readonly info: Info;
}

export interface StepResult<Observation extends SpaceElement = SpaceElement> {
  /**
   * Observation of the state after the step, even if the episode ended there: flat numbers, or an object by key
   * for a Dict and a list for a Tuple.
   */
  readonly observation: Observation;
  readonly reward: number;
  /** The task ended, so the last observation has no value to bootstrap from. */
  readonly terminated: boolean;
  /** The episode was cut off, e.g. by a time limit; the last observation still has a value. */
  readonly truncated: boolean;
  readonly info: Info;
}

/** The interface that users' environments implement, and that environments from `make` extend. */
export interface HostEnvironment<Observation extends SpaceElement = SpaceElement> {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly spec?: EnvironmentSpec;
  /** Starts an episode. */
  reset(options?: ResetOptions): ResetResult<Observation>;
  /** Takes one step of the current episode. */
  step(action: Action): StepResult<Observation>;
  /**
   * With goals, whose observations are a `Dict` of `observation`, `achieved_goal` and `desired_goal`: the rewards of steps
   * that achieved one goal where another was desired, as Gymnasium-Robotics' environments have. Called with n goals of
   * each kind at once, for hindsight with goals that nobody asked for.
   * @returns n rewards.
   */
  compute_reward?(
    achieved_goal: readonly Float32Array[],
    desired_goal: readonly Float32Array[],
    info: readonly Info[],
  ): ArrayLike<number>;
  /** Likewise, whether the task ends with such steps (default: that does not depend on the goal). */
  compute_terminated?(
    achieved_goal: readonly Float32Array[],
    desired_goal: readonly Float32Array[],
    info: readonly Info[],
  ): ArrayLike<boolean | number>;
  /** Draws the current state on a canvas, or returns a frame to draw. */
  render?(): RenderFrame;
  render?(target: RenderTarget): void;
  /** The state, in a layout that the environment defines. */
  getState?(): Float32Array | Float64Array;
  setState?(state: ArrayLike<number>): void;
  /**
   * The state of the running episode with everything that its next steps depend on, generators of random numbers too:
   * numbers, text, booleans, null, lists, plain objects and typed arrays, at most 4 MB. With `load`, an episode goes on
   * in a later generation, and in a resumed run; without both, it is repeated from its seed and its actions.
   */
  save?(): unknown;
  /** Continues at a state that `save` gave, of this environment or of another with the same options. */
  load?(state: unknown): void;
  close?(): void;
}
