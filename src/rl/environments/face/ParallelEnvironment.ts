/** The face of environments of several agents that act at once, as PettingZoo's parallel one. */

import type { SingleAgentSpace, SpaceValue } from "../../spaces/index.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import type { Action, EnvironmentSpec, Info, ResetOptions } from "./HostEnvironment.ts";
import type { RenderFrame } from "./RenderFrame.ts";

/** Something of each agent, by its id. */
export type ByAgent<Value> = Readonly<Record<string, Value>>;

export interface ParallelResetResult<Observation extends SpaceValue = SpaceValue> {
  readonly observations: ByAgent<Observation>;
  /** `action_mask` of an agent's info, where there is one, tells which of its choices are legal: 1 or true for each. */
  readonly infos: ByAgent<Info>;
}

/** Of every agent that took part in the step, and of no other. */
export interface ParallelStepResult<Observation extends SpaceValue = SpaceValue> {
  /** Observations of the state the step led to, also of agents whose task ended there. */
  readonly observations: ByAgent<Observation>;
  readonly rewards: ByAgent<number>;
  /** An agent's own task ended: it takes no part in the rest of the episode. */
  readonly terminations: ByAgent<boolean>;
  /** The episode was cut off, by a time limit say: for all agents that go on together. */
  readonly truncations: ByAgent<boolean>;
  /** As those of a reset. */
  readonly infos: ByAgent<Info>;
}

/**
 * What users' own environments of several agents implement, and what `make` returns for such environments. Every agent
 * takes part from the start of an episode. One whose task has ended comes back with the next episode.
 *
 * @example
 * ```ts
 * const spaces = <Space extends Box | Discrete>(space: Space) => ({ left: space, right: space });
 *
 * // Both want to say the same word. An episode is one step.
 * const agreement: ParallelEnvironment = {
 *   possible_agents: ["left", "right"],
 *   agents: ["left", "right"],
 *   observation_spaces: spaces(new Box({ low: 0, high: 0, shape: [1] })),
 *   action_spaces: spaces(new Discrete(3)),
 *   reset: () => ({ observations: { left: [0], right: [0] }, infos: { left: {}, right: {} } }),
 *   step({ left, right }) {
 *     const reward = left === right ? 1 : 0;
 *     return {
 *       observations: { left: [0], right: [0] },
 *       rewards: { left: reward, right: reward },
 *       terminations: { left: true, right: true },
 *       truncations: { left: false, right: false },
 *       infos: { left: {}, right: {} },
 *     };
 *   },
 * };
 * const lanes = new SyncVectorEnvironment([() => agreement]);
 * ```
 */
export interface ParallelEnvironment<Observation extends SpaceValue = SpaceValue> {
  /** Ids of all agents, in order: letters, digits and _, a letter first. */
  readonly possible_agents: readonly string[];
  /** Those that take part now: before the first reset and after an episode none need be. */
  readonly agents: readonly string[];
  readonly observation_spaces: ByAgent<SingleAgentSpace>;
  readonly action_spaces: ByAgent<SingleAgentSpace>;
  readonly spec?: EnvironmentSpec;
  /** Starts an episode. */
  reset(options?: ResetOptions): ParallelResetResult<Observation>;
  /** Takes one step of the episode under way, with an action of each agent in `agents`. */
  step(actions: ByAgent<Action>): ParallelStepResult<Observation>;
  /** Draws the present state on a canvas, or says what to draw. */
  render?(): RenderFrame;
  render?(target: RenderTarget): void;
  /** State in a layout of the environment's own. */
  getState?(): Float32Array;
  setState?(state: ArrayLike<number>): void;
  close?(): void;
}

/**
 * Whether an environment has the face of several agents.
 *
 * @example
 * ```ts
 * console.log(isParallelEnvironment(make("CartPole-v1"))); // false
 * ```
 */
export const isParallelEnvironment = (environment: object): environment is ParallelEnvironment =>
  "possible_agents" in environment || "observation_spaces" in environment;
