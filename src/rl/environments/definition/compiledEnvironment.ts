/** Environments whose dynamics are tensor programs: rollouts fuse with the policy and stay on the device. */

import { z } from "zod";
import { add, type Dim, mul, type Tensor, zeros } from "../../../kernels/index.ts";
import { parseSpec } from "../../../specs/checks.ts";
import type { AgentSpaces, Space } from "../../spaces.ts";
import type { GameRules } from "../face/GameRules.ts";
import type { EnvironmentOptions } from "../face/HostEnvironment.ts";
import type { Appearance } from "./Appearance.ts";

/** Common fields of all registered environments, compiled or stepped on the host. */
export interface Configurable<Environment> {
  /** The options that the environment was configured with (default: none). */
  readonly options?: EnvironmentOptions;
  /**
   * Returns the environment with other options. Without this method, a compiled environment has no options
   * besides the time limit, and a host environment passes its options to the factory of its instances.
   * @throws SpecError naming the environment's id and each option that is unknown or out of range.
   */
  readonly withOptions?: (options: EnvironmentOptions) => Environment;
}

/** State of all lanes by variable, each f32 [num_envs, ...shape of the variable]. */
export type EnvState = Readonly<Record<string, Tensor>>;

/** The result of a step. */
export interface Transition<Variable extends string = string> {
  readonly state: Readonly<Record<Variable, Tensor>>;
  /** f32 [num_envs]; [num_envs, agents] for several agents. */
  readonly reward: Tensor;
  /**
   * Whether the task itself ended, time limits aside: bool [num_envs]; [num_envs, agents] for several agents.
   */
  readonly terminated: Tensor;
}

/** What a game of two players adds to an environment. */
export interface GameFace {
  readonly rules: GameRules;
  /** Index of the player whose turn it is, f32 [n]: 0 or 1. */
  readonly mover: (state: EnvState) => Tensor;
  /** As `own_rule` of the rules: moves of all lanes, i32 [n]. */
  readonly own_rule?: (state: EnvState) => Tensor;
  /**
   * The environment's own arguments, with defaults, which the rules depend on (default: none).
   * @internal
   */
  readonly options?: EnvironmentOptions;
}

/**
 * What an environment with goals adds: what steps give, as functions of goals alone, for any goals. Achieved and desired
 * goals are f32 [n, numbers of a goal].
 */
export interface GoalFace {
  /** The reward of a step that achieved one goal where another was desired, f32 [n]. */
  readonly compute_reward: (achieved_goal: Tensor, desired_goal: Tensor) => Tensor;
  /** Whether the task ends with such a step, bool [n] (default: that does not depend on the goal). */
  readonly compute_terminated?: (achieved_goal: Tensor, desired_goal: Tensor) => Tensor;
  /** Whether the goal is achieved, bool [n]. An episode succeeds if it is after its last step. */
  readonly is_success: (achieved_goal: Tensor, desired_goal: Tensor) => Tensor;
}

/** An environment whose programs step any number of lanes together. */
export interface CompiledEnvironment
  extends Configurable<CompiledEnvironment>,
    Pick<AgentSpaces, "symmetries">,
    Appearance {
  /** Gymnasium's id, with its version. */
  readonly id: string;
  /** Both spaces are `Agents` with the same ids, or neither is. */
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Steps after which an episode is truncated. */
  readonly max_episode_steps: number;
  /** Mean return at which the task counts as solved; null if there is no agreed threshold. */
  readonly reward_threshold: number | null;
  /** State variables in the order of Gymnasium's own state array. */
  readonly variables: readonly string[];
  /** Shapes of the variables that hold more than one number per lane. */
  readonly variableShapes: Readonly<Record<string, readonly number[]>>;
  /** How many vectors of uniform [0, 1) numbers a reset needs. */
  readonly resetDraws: number;
  /** How many vectors of uniform [0, 1) numbers a step needs. */
  readonly stepDraws: number;
  /** Initial states of all lanes. `draws`: `resetDraws` tensors, each f32 [num_envs]. */
  readonly reset: (draws: readonly Tensor[], num_envs: Dim) => EnvState;
  /** f32 [num_envs, ...observation shape]. */
  readonly observe: (state: EnvState) => Tensor;
  /**
   * 1 for choices that are legal in a state, f32 [num_envs, choices], in the order of `info.action_mask` (default: all
   * are). Every number of an action needs a legal choice.
   */
  readonly actionMask?: (state: EnvState) => Tensor;
  /**
   * One step in every lane. `action`: i32 [num_envs] for Discrete; f32 [num_envs, k] for Box and for Agents
   * (choices included; zeros for agents whose task has ended); otherwise i32 [num_envs, k]. `draws`:
   * `stepDraws` tensors, each f32 [num_envs].
   */
  readonly step: (state: EnvState, action: Tensor, draws: readonly Tensor[]) => Transition;
  /**
   * Two players move in turn, and one wins what the other loses. The player whose turn it is observes and acts; the
   * reward of a step is that of the player who moved. Absent for other environments.
   */
  readonly game?: GameFace;
  /**
   * Observations are a `Dict` of `observation`, `achieved_goal` and `desired_goal`, as in Gymnasium-Robotics. Absent for
   * other environments.
   */
  readonly goal?: GoalFace;
}

/** The dynamics as plain fields, each bound to its environment: a spread copies no methods of a class. */
export const dynamicsOf = (
  env: CompiledEnvironment,
): Pick<CompiledEnvironment, "reset" | "observe" | "actionMask" | "step"> => ({
  reset: env.reset.bind(env),
  observe: env.observe.bind(env),
  ...(env.actionMask && { actionMask: env.actionMask.bind(env) }),
  step: env.step.bind(env),
});

/** Shape of a state variable in each lane; [] for a single number. */
export const variableShape = (
  { variableShapes }: Pick<CompiledEnvironment, "variableShapes">,
  name: string,
): readonly number[] => variableShapes[name] ?? [];

/** Buffer of a state variable, where the host steps lanes. */
export const variableBuffer = (name: string): string => `env.${name}`;

/** How many numbers one lane's state has. */
export const stateSize = (env: Pick<CompiledEnvironment, "variables" | "variableShapes">): number =>
  env.variables.reduce((sum, name) => sum + variableShape(env, name).reduce((a, b) => a * b, 1), 0);

/** Checks that the state has all variables, and returns it with their names in its type.
 * @throws TypeError naming the first variable that is missing. */
export function knownState<Variable extends string>(
  id: string,
  variables: readonly Variable[],
  state: EnvState,
): Readonly<Record<Variable, Tensor>> {
  for (const name of variables) {
    if (!state[name])
      throw new TypeError(`${id}: state has no variable "${name}"; it needs ${variables.join(", ")}`);
  }
  return state as Readonly<Record<Variable, Tensor>>;
}

/** Definition of an environment with deterministic steps, whose state variables are single numbers. */
export interface CompiledEnvironmentDefinition<Variable extends string>
  extends Omit<
    CompiledEnvironment,
    "variables" | "variableShapes" | "resetDraws" | "stepDraws" | "reset" | "observe" | "actionMask" | "step"
  > {
  /** Ranges [low, high) of the uniform initial state, in Gymnasium's order; equal bounds are a constant. */
  readonly resetRanges: Readonly<Record<Variable, readonly [low: number, high: number]>>;
  readonly observe: (state: Readonly<Record<Variable, Tensor>>) => Tensor;
  readonly actionMask?: ((state: Readonly<Record<Variable, Tensor>>) => Tensor) | undefined;
  readonly step: (state: Readonly<Record<Variable, Tensor>>, action: Tensor) => Transition<Variable>;
}

/**
 * Makes a compiled environment whose initial states are uniform within ranges.
 *
 * @example
 * ```ts
 * import { abs, add, equal, greater, neg, ones, select, stackColumns } from "rlkit/kernels";
 *
 * const drift = compiledEnvironment({
 *   id: "mine/Drift-v0",
 *   observation_space: new Box({ low: -2, high: 2, shape: [1] }),
 *   action_space: new Discrete(2),
 *   max_episode_steps: 100,
 *   reward_threshold: null,
 *   resetRanges: { x: [-0.5, 0.5] },
 *   observe: ({ x }) => stackColumns([x]),
 *   step: ({ x }, action) => {
 *     const next = { x: add(x, select(equal(action, 1), 0.1, -0.1)) };
 *     return { state: next, reward: neg(abs(next.x)), terminated: greater(abs(next.x), 1) };
 *   },
 * });
 * registerEnvironment(drift);
 * ```
 */
export function compiledEnvironment<Variable extends string>(
  definition: CompiledEnvironmentDefinition<Variable>,
): CompiledEnvironment {
  const { resetRanges, observe, actionMask, step, ...facts } = definition;
  const variables = Object.keys(resetRanges) as Variable[];
  const drawn = variables.filter((name) => resetRanges[name][0] < resetRanges[name][1]);

  const known = (state: EnvState) => knownState(facts.id, variables, state);

  return {
    ...facts,
    variables,
    variableShapes: {},
    resetDraws: drawn.length,
    stepDraws: 0,
    reset: (draws, num_envs) => {
      if (draws.length !== drawn.length)
        throw new RangeError(`${facts.id}: reset: found ${draws.length} draws, allowed ${drawn.length}`);
      const state: Record<string, Tensor> = {};
      for (const name of variables) {
        const [low, high] = resetRanges[name];
        const draw = draws[drawn.indexOf(name)];
        state[name] = draw ? add(mul(draw, high - low), low) : add(zeros([num_envs]), low);
      }
      return state;
    },
    observe: (state) => observe(known(state)),
    ...(actionMask && { actionMask: (state) => actionMask(known(state)) }),
    step: (state, action) => step(known(state), action),
  };
}

/**
 * Handled before an environment's own arguments; listed so that errors about unknown arguments mention it.
 */
const TIME_LIMIT = { max_episode_steps: z.undefined().optional() };

/**
 * Makes an environment with arguments, like Gymnasium's: it has their defaults, and `withOptions` sets other
 * values.
 * @param own The arguments under Gymnasium's names; all must have defaults.
 */
export function withArguments<Own extends z.ZodRawShape>(
  id: string,
  own: Own,
  build: (given: z.output<z.ZodObject<Own>>) => CompiledEnvironment,
): CompiledEnvironment {
  const Arguments = z.strictObject({ ...own, ...TIME_LIMIT });
  const make = (given: unknown): CompiledEnvironment => {
    const options = parseSpec(Arguments, given, id) as EnvironmentOptions & z.output<z.ZodObject<Own>>;
    const made = build(options);
    return { ...made, ...(made.game && { game: { ...made.game, options } }), withOptions: make };
  };
  return make({});
}
