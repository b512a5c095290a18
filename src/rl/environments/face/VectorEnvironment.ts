/**
 * The interface of environments whose lanes are stepped together, with same-step auto-reset. With several
 * agents (spaces of kind `Agents`), an observation concatenates the numbers of all agents in order. A lane's
 * episode then ends when every agent's task has ended or the episode is cut off. Agents whose task has ended
 * observe zeros and get reward 0 until the lane's next episode.
 */
import type { Space } from "../../spaces/index.ts";
import type { EnvironmentSpec, Info } from "./HostEnvironment.ts";

export interface VectorResetOptions {
  /** Lane i is seeded with seed + i. If unset, each lane's random sequence continues. */
  readonly seed?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface VectorResetResult {
  /** First observations, [num_envs, ...] in row-major order. */
  readonly observation: Float32Array;
  /** One per lane; with several agents, infos by agent. */
  readonly info: readonly Info[];
}

export interface VectorStepResult {
  /**
   * Observation to act on next, [num_envs, ...]: in lanes that ended, the new episode's first observation.
   */
  readonly observation: Float32Array;
  /** [num_envs]; [num_envs, agents] for several agents. */
  readonly reward: Float32Array;
  /** 1 where the task ended, [num_envs]; [num_envs, agents] for several agents, in this step or earlier. */
  readonly terminated: Uint8Array;
  /** 1 where the episode was cut off, [num_envs]. */
  readonly truncated: Uint8Array;
  /**
   * Observation after the step and before any reset, to bootstrap from, [num_envs, ...]. Equals `observation`
   * in lanes whose episode continues.
   */
  readonly final_observation: Float32Array;
  /**
   * Infos of `observation`, one per lane; with several agents, infos by agent for those whose task continues.
   */
  readonly info: readonly Info[];
  /**
   * Infos of `final_observation`, one per lane; with several agents, infos by agent for those that took part.
   */
  readonly final_info: readonly Info[];
}

export interface VectorEnvironment {
  readonly num_envs: number;
  /** Spaces of one lane. Both are of kind `Agents`, with the same ids in the same order, or neither is. */
  readonly single_observation_space: Space;
  readonly single_action_space: Space;
  readonly spec?: EnvironmentSpec;
  /** Starts an episode in every lane. */
  reset(options?: VectorResetOptions): VectorResetResult;
  /**
   * Steps every lane.
   * @param actions The actions of all lanes, concatenated in row-major order.
   * @param wanted 0 for lanes whose results are not read until the next reset, [num_envs]; they may be
   * skipped.
   */
  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult;
  close(): void;
}

/** Whether an environment has the vector interface. */
export const isVectorEnvironment = (environment: object): environment is VectorEnvironment =>
  "num_envs" in environment && "single_action_space" in environment;
