/**
 * The face of environments stepped side by side, with same-step auto-reset. Of several agents (spaces of kind `Agents`) an
 * observation is the numbers of all of them in order, and a lane's episode ends when the task of each has ended or it is
 * cut off. Agents whose task has ended see zeros and get 0 until the lane's next episode.
 */
import type { Space } from "../../spaces/index.ts";
import type { EnvironmentSpec, Info } from "./HostEnvironment.ts";

export interface VectorResetOptions {
  /** Lane i is seeded with seed + i; unset, every lane's random numbers go on. */
  readonly seed?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface VectorResetResult {
  /** First observations, [num_envs, ...] in row-major order. */
  readonly observation: Float32Array;
  /** One for each lane; of several agents the infos by agent. */
  readonly info: readonly Info[];
}

export interface VectorStepResult {
  /** What to act on next, [num_envs, ...]: in lanes that ended, the new episode's first observation. */
  readonly observation: Float32Array;
  /** [num_envs]; of several agents [num_envs, agents]. */
  readonly reward: Float32Array;
  /** 1 where the task ended, [num_envs]; of several agents [num_envs, agents], now or earlier in the episode. */
  readonly terminated: Uint8Array;
  /** 1 where the episode was cut off, [num_envs]. */
  readonly truncated: Uint8Array;
  /** Where the step led, before any reset, [num_envs, ...]: what to bootstrap from. Equals `observation` in lanes that go on. */
  readonly final_observation: Float32Array;
  /** Belongs to `observation`, one for each lane; of several agents the infos by agent, of those that go on. */
  readonly info: readonly Info[];
  /** Belongs to `final_observation`, one for each lane; of several agents the infos of those that took part. */
  readonly final_info: readonly Info[];
}

export interface VectorEnvironment {
  readonly num_envs: number;
  /** Spaces of one lane; both of kind `Agents`, with the same ids in the same order, or neither. */
  readonly single_observation_space: Space;
  readonly single_action_space: Space;
  readonly spec?: EnvironmentSpec;
  /** Starts an episode in every lane. */
  reset(options?: VectorResetOptions): VectorResetResult;
  /**
   * One step of every lane. `actions`: all lanes' actions one after another, in row-major order.
   * @param wanted 0 for lanes whose results nobody reads until the next reset, [num_envs]; they may stand still.
   */
  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult;
  close(): void;
}

/** Whether an environment is vectorised. */
export const isVectorEnvironment = (environment: object): environment is VectorEnvironment =>
  "num_envs" in environment && "single_action_space" in environment;
