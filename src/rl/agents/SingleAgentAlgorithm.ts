/** Agents that act for one player: observations in, actions out. */

import type { ActionMask } from "../environments/face/actionMasks.ts";
import type { HiddenState } from "../member/hiddenState.ts";
import { ActingAgent } from "./ActingAgent.ts";

/** One observation: a number for a Discrete space, else its elements in row-major order. */
export type Observation = number | ArrayLike<number>;

export interface ActingOptions {
  /** Number of observations one after another; unset, `observation` is a single one. */
  readonly num_envs?: number;
  /**
   * 1 or true for what is legal, [choices] or [num_envs, choices]: choices of a Discrete space, those of all numbers
   * of a MultiDiscrete one side by side, the bits of a MultiBinary one that may be 1.
   */
  readonly action_mask?: ActionMask | null;
  /** False acts greedily; true unless given. */
  readonly training?: boolean;
  /** What a recurrent agent remembers, in place of what it kept; it then keeps nothing of the step. */
  readonly hidden_state?: HiddenState;
}

/**
 * Base of agents for one player.
 *
 * @example
 * ```ts
 * const agent = await loadAgent("elite.safetensors");
 * if (agent instanceof SingleAgentAlgorithm) agent.getAction([0, 0, 0, 0], { training: false });
 * ```
 */
export abstract class SingleAgentAlgorithm extends ActingAgent {
  /**
   * Actions for one observation (a number, or Float32Array for a Box) or, with `num_envs`, for several
   * (Int32Array or Float32Array, one after another), as the environment takes them.
   * @throws RangeError when observation or mask do not fit, naming the number and, with `num_envs`, the lane;
   *   TypeError for an observation of another kind.
   */
  abstract getAction(observation: Observation, options?: ActingOptions): number | Float32Array | Int32Array;

  /** One action as a number where it is a single choice. */
  protected actionOf(
    actions: Float32Array | Int32Array,
    { num_envs }: ActingOptions,
  ): number | Float32Array | Int32Array {
    return num_envs === undefined && this.action_space.kind === "Discrete" ? (actions[0] as number) : actions;
  }
}
