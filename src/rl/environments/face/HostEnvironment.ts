/** The face of environments that the host steps one by one, as in Gymnasium. */

import type { Space, SpaceValue } from "../../spaces/index.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import type { RenderFrame } from "./RenderFrame.ts";

/** Extra facts about a step, for people and wrappers; training reads only `action_mask` where there is one. */
export type Info = Readonly<Record<string, unknown>>;

/** One action: an index for a Discrete space, else its elements in row-major order. */
export type Action = SpaceValue;

export interface EnvironmentSpec {
  readonly id: string;
  /** Steps after which an episode is truncated; null for no limit. */
  readonly max_episode_steps: number | null;
  readonly reward_threshold?: number | null;
}

export interface ResetOptions {
  /** Starts the environment's random numbers anew; unset, they go on, and the first reset takes entropy. */
  readonly seed?: number;
  /** What else the environment understands. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ResetResult<Observation extends SpaceValue = SpaceValue> {
  readonly observation: Observation;
  readonly info: Info;
}

export interface StepResult<Observation extends SpaceValue = SpaceValue> {
  /** Observation of the state the step led to, also when the episode ended there. */
  readonly observation: Observation;
  readonly reward: number;
  /** The task ended: there is nothing to bootstrap from. */
  readonly terminated: boolean;
  /** The episode was cut off, by a time limit say; the last observation still has a value. */
  readonly truncated: boolean;
  readonly info: Info;
}

/** What users' own environments implement, and what `make` returns. */
export interface HostEnvironment<Observation extends SpaceValue = SpaceValue> {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly spec?: EnvironmentSpec;
  /** Starts an episode. */
  reset(options?: ResetOptions): ResetResult<Observation>;
  /** Takes one step of the episode under way. */
  step(action: Action): StepResult<Observation>;
  /** Draws the present state on a canvas, or says what to draw. */
  render?(): RenderFrame;
  render?(target: RenderTarget): void;
  /** State in a layout of the environment's own. */
  getState?(): Float32Array;
  setState?(state: ArrayLike<number>): void;
  close?(): void;
}
