/** Single agents: observations in, actions out. */

import { findEnvironment, type GameState, isCompiled } from "../../rl/environments.ts";
import type { ActionMask } from "../../rl/faces.ts";
import type { ElementParts, SpaceElement } from "../../rl/spaces.ts";
import type { HiddenState } from "../member/agentState.ts";
import type { SearchedPosition } from "../runtime/wasm/AgentSession.ts";
import { ActingAgent } from "./ActingAgent.ts";
import { lookAheadOf, type SearchOptions } from "./compiledTest.ts";

/**
 * One observation: a number for a Discrete space, else its elements in row-major order. That of a Dict may be
 * an object by key, and that of a Tuple a list of its parts.
 */
export type Observation = SpaceElement;

/** A list of observations that are not single numbers. */
export type ObservationList = readonly (ArrayLike<number> | ElementParts)[];

/** One observation or several: a list of them, or their consecutive numbers. */
export type Observations = Observation | ObservationList;

export interface ActingOptions {
  /**
   * Number of consecutive observations. If unset, there are as many as their numbers make: one observation
   * gives one action, several give consecutive ones.
   */
  readonly num_envs?: number;
  /**
   * 1 or true for legal choices, [choices] or [num_envs, choices]. These are the choices of a Discrete space,
   * the concatenated choices of a MultiDiscrete space, or the bits of a MultiBinary space that may be 1.
   */
  readonly action_mask?: ActionMask | null;
  /** Whether to explore or sample; false acts greedily (default: true). */
  readonly training?: boolean;
  /** Recurrent state to act with, instead of the agent's own, which then does not change. */
  readonly hidden_state?: HiddenState;
}

/**
 * Base class of single agents.
 *
 * @example
 * ```ts
 * const agent = await loadAgent("elite.safetensors");
 * if (agent instanceof SingleAgentAlgorithm) agent.getAction([0, 0, 0, 0], { training: false });
 * ```
 */
export abstract class SingleAgentAlgorithm extends ActingAgent {
  /**
   * Actions, as the environment takes them: for one observation a number, or a Float32Array for a Box; for
   * several observations (a list of them, or consecutive numbers), consecutive actions in an Int32Array or
   * Float32Array.
   * @throws RangeError when an observation or a mask does not fit, naming the number or the key and, for
   *   several, the lane; TypeError for an observation of another type.
   */
  abstract getAction(observation: Observations, options?: ActingOptions): number | Float32Array | Int32Array;

  /**
   * Searches from positions of a game of two players without chance, by the agent's policy and value. AlphaZero searches
   * by its own rule, others by upper confidence bounds; the search has no noise.
   * @param game Id of the game, such as "rlkit/ConnectFour".
   * @param states Running games, as the game's rules give them.
   * @returns for each position the best action, the visits of all, and the value for the player whose turn it is.
   * @throws RangeError for another environment, a game of chance or hidden information, one whose spaces are not the agent's,
   *   an agent without a value, and less than two simulations.
   */
  search(game: string, states: readonly GameState[], options: SearchOptions = {}): SearchedPosition[] {
    const settings = lookAheadOf(options);
    const env = findEnvironment(game);
    if (!isCompiled(env))
      throw new RangeError(`search: found ${game}, allowed compiled games, whose positions can be copied`);
    this.requireSpaces(env.observation_space, env.action_space);
    return this.session.search(env, settings, states);
  }

  /** Converts the action for a single observation of a Discrete space to a number. */
  protected actionOf(
    actions: Float32Array | Int32Array,
    { num_envs }: ActingOptions,
  ): number | Float32Array | Int32Array {
    return num_envs === undefined && this.action_space.kind === "Discrete" ? (actions[0] as number) : actions;
  }
}
