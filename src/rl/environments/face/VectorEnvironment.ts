/**
 * The interface of environments whose lanes are stepped together, with same-step auto-reset. With several
 * agents (spaces of kind `Agents`), an observation concatenates the numbers of all agents in order. A lane's
 * episode then ends when every agent's task has ended or the episode is cut off. Agents whose task has ended
 * observe zeros and get reward 0 until the lane's next episode.
 */
import type { Space } from "../../spaces.ts";
import type { EnvironmentSpec, Info } from "./HostEnvironment.ts";
import type { GoalBatch, GoalOutcome } from "./hostGoals.ts";

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

/** The lanes at the start of a turn. */
export interface PlacedLanes extends VectorResetResult {
  /** 1 where an episode begins, [num_envs]. Others go on, and have neither observation nor info here. */
  readonly begun: Uint8Array;
  /** As the result of `leftAfter`. */
  readonly left: Uint8Array | null;
}

type Later<Result> = Result | Promise<Result>;

/** Lanes whose episodes can go on in a later turn. */
export interface LastingLanes {
  /**
   * Goes on with the episodes of an earlier turn. Until the next reset every episode has a seed of its own.
   *
   * @param seed Lane i without an episode begins one, seeded with seed + i.
   * @param places Where the episodes stand; null to begin all.
   * @param observation What was observed there, [num_envs, ...].
   * @throws EnvironmentError as `reset` and `step`, and for a state that cannot be loaded.
   */
  goOn(seed: number, places: unknown, observation: Float32Array | null): Later<PlacedLanes>;
  /**
   * Where the episodes stand: plain data.
   * @throws EnvironmentError for a state that cannot be saved.
   */
  places(): Later<unknown>;
}

/** Lanes of an environment that computes rewards for any goals. */
export interface GoalLanes {
  /** @throws EnvironmentError as `goalOutcome`. */
  computeGoals(goals: GoalBatch): Later<GoalOutcome>;
}

/** Lanes whose positions a search copies. */
export interface BranchingLanes {
  /**
   * Where the episode of each lane stands: plain data; null if the environment does not save.
   * @throws EnvironmentError for a state that cannot be saved.
   */
  positions(): Later<readonly unknown[]>;
  /**
   * Takes a step from other positions, one for each lane. The lanes' own episodes stay where they are.
   * @param wanted As in `step`.
   * @throws EnvironmentError as `step`, and for a state that cannot be loaded or saved.
   */
  branch(positions: readonly unknown[], actions: ArrayLike<number>, wanted: Uint8Array): Later<Branch>;
}

/** A step from other positions. */
export interface Branch {
  readonly step: VectorStepResult;
  /** Where it led; positions of new episodes in lanes that ended. */
  readonly positions: readonly unknown[];
}

/** The environment's lanes whose positions can be copied; null if they cannot. */
export const branchingLanes = (env: AnyVectorEnvironment): BranchingLanes | null =>
  "branch" in env && "positions" in env ? (env as unknown as BranchingLanes) : null; // Its methods are not public.

/** The environment's lanes that compute rewards for goals; null if they do not. */
export const goalLanes = (env: AnyVectorEnvironment): GoalLanes | null =>
  "computeGoals" in env ? (env as unknown as GoalLanes) : null; // Its method is not public.

/** Where episodes stand whose observations are stacked outside of their lanes. */
export interface StackedPlaces {
  readonly places: unknown;
  readonly stacks: Float32Array;
}

/** The environment's lanes that can go on; null if every turn has to begin new episodes. */
export const lastingLanes = (env: AnyVectorEnvironment): LastingLanes | null =>
  "goOn" in env && "places" in env ? (env as unknown as LastingLanes) : null; // Its two methods are not public.

/** Whether an environment has the vector interface. */
export const isVectorEnvironment = (environment: object): environment is VectorEnvironment =>
  "num_envs" in environment && "single_action_space" in environment;

/**
 * Like `VectorEnvironment`, but its lanes are stepped elsewhere, for example in a sandbox, so results are
 * promises. Its errors already name lane and step.
 */
export interface AsyncVectorEnvironment extends Omit<VectorEnvironment, "reset" | "step"> {
  readonly asynchronous: true;
  reset(options?: VectorResetOptions): Promise<VectorResetResult>;
  /** Allows only one call at a time. */
  step(actions: ArrayLike<number>, wanted?: Uint8Array): Promise<VectorStepResult>;
}

/** A synchronous or asynchronous vector environment. */
export type AnyVectorEnvironment = VectorEnvironment | AsyncVectorEnvironment;

/** Whether the environment is asynchronous. */
export const isAsync = (env: AnyVectorEnvironment): env is AsyncVectorEnvironment => "asynchronous" in env;

/** 1 for lanes whose episode ended, [num_envs]: it was cut off, or the task of every agent has ended. */
export function endedLanes({
  terminated,
  truncated,
}: Pick<VectorStepResult, "terminated" | "truncated">): Uint8Array {
  const lanes = truncated.length;
  const agents = terminated.length / lanes;
  const ended = new Uint8Array(lanes);
  for (let lane = 0; lane < lanes; lane++) {
    let gone = 0;
    for (let i = lane * agents; i < (lane + 1) * agents; i++) gone += terminated[i] === 0 ? 0 : 1;
    ended[lane] = truncated[lane] !== 0 || gone === agents ? 1 : 0;
  }
  return ended;
}

/**
 * 1 for agents whose own task has ended while the episode continues, [num_envs, agents]: they take no part in
 * the next step. Null if there is only one agent.
 * @param ended Result of `endedLanes`.
 */
export function leftAfter(
  { terminated }: Pick<VectorStepResult, "terminated">,
  ended: Uint8Array,
): Uint8Array | null {
  const agents = terminated.length / ended.length;
  return agents === 1 ? null : terminated.map((gone, i) => (ended[Math.floor(i / agents)] ? 0 : gone));
}

/** 1 for agents that choose no more in the episode, [num_envs, agents]: it ended, or their own task ended. */
export const overAfter = (
  { terminated }: Pick<VectorStepResult, "terminated">,
  ended: Uint8Array,
): Uint8Array =>
  terminated.map((gone, i) => ended[Math.floor((i * ended.length) / terminated.length)] || gone);
