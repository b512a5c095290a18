/** The interface of environments whose agents act simultaneously, like PettingZoo's parallel API. */
import type { SingleAgentSpace, SpaceElement } from "../../spaces.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import type {
  Action,
  EnvironmentSpec,
  HostEnvironment,
  Info,
  RenderFrame,
  ResetOptions,
} from "./HostEnvironment.ts";

/** One value per agent, by agent id. */
export type ByAgent<Value> = Readonly<Record<string, Value>>;

export interface ParallelResetResult<Observation extends SpaceElement = SpaceElement> {
  readonly observations: ByAgent<Observation>;
  /** An agent's info may have an `action_mask`: 1 or true for each legal choice. */
  readonly infos: ByAgent<Info>;
}

/** Each field has an entry for every agent that took part in the step, and for no other agent. */
export interface ParallelStepResult<Observation extends SpaceElement = SpaceElement> {
  /** Observations of the state after the step, including those of agents whose task ended there. */
  readonly observations: ByAgent<Observation>;
  readonly rewards: ByAgent<number>;
  /** Whether an agent's own task ended. The agent takes no part in the rest of the episode. */
  readonly terminations: ByAgent<boolean>;
  /** Whether the episode was cut off, e.g. by a time limit; the same for all agents whose task continues. */
  readonly truncations: ByAgent<boolean>;
  /** The same as for a reset. */
  readonly infos: ByAgent<Info>;
}

/**
 * The interface that users' multi-agent environments implement, and that such environments from `make`
 * extend. Every agent takes part from the start of an episode. An agent whose task has ended returns in the
 * next episode.
 *
 * @example
 * ```ts
 * const spaces = <Space extends Box | Discrete>(space: Space) => ({ left: space, right: space });
 *
 * // Both agents are rewarded for choosing the same word. An episode is one step.
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
export interface ParallelEnvironment<Observation extends SpaceElement = SpaceElement> {
  /** Ids of all agents, in order. An id has letters, digits and _, and starts with a letter. */
  readonly possible_agents: readonly string[];
  /** Ids of the agents that take part now. May be empty before the first reset and after an episode. */
  readonly agents: readonly string[];
  readonly observation_spaces: ByAgent<SingleAgentSpace>;
  readonly action_spaces: ByAgent<SingleAgentSpace>;
  readonly spec?: EnvironmentSpec;
  /** Starts an episode. */
  reset(options?: ResetOptions): ParallelResetResult<Observation>;
  /** Takes one step of the current episode, with one action for each agent in `agents`. */
  step(actions: ByAgent<Action>): ParallelStepResult<Observation>;
  /** Draws the current state on a canvas, or returns a frame to draw. */
  render?(): RenderFrame;
  render?(target: RenderTarget): void;
  /** The state, in a layout that the environment defines. */
  getState?(): Float32Array;
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

/**
 * Whether an environment has the multi-agent interface.
 *
 * @example
 * ```ts
 * console.log(isParallelEnvironment(make("CartPole-v1"))); // false
 * ```
 */
export const isParallelEnvironment = (environment: object): environment is ParallelEnvironment =>
  "possible_agents" in environment || "observation_spaces" in environment;

/** The multi-agent environment that `make` returns: a `ParallelEnvironment` that has all optional members. */
export interface NamedParallelEnvironment extends ParallelEnvironment<Float32Array> {
  readonly spec: EnvironmentSpec & { readonly max_episode_steps: number };
  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  /** Returns a copy of the state. */
  getState(): Float32Array;
  /** Sets the environment's state. @throws RangeError when the numbers are not a valid state. */
  setState(state: ArrayLike<number>): void;
  close(): void;
}

/** The single-agent environment that `make` returns: a `HostEnvironment` that has all optional members. */
export interface NamedEnvironment extends HostEnvironment<Float32Array> {
  readonly spec: EnvironmentSpec & { readonly max_episode_steps: number };
  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  /** Returns a copy of the state. */
  getState(): Float32Array | Float64Array;
  /** Sets the environment's state. @throws RangeError when the numbers are not a valid state. */
  setState(state: ArrayLike<number>): void;
  close(): void;
}
