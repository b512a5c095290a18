import type { Dim, Tensor } from "../../../kernels/index.ts";
import {
  type CompiledEnvironment,
  type EnvState,
  knownState,
  type Transition,
} from "./compiledEnvironment.ts";

type Known<Variable extends string> = Readonly<Record<Variable, Tensor>>;

/** Definition of an environment whose resets and steps may use random draws. */
export interface RandomEnvironmentDefinition<Variable extends string>
  extends Omit<
    CompiledEnvironment,
    "variables" | "variableShapes" | "reset" | "observe" | "actionMask" | "step"
  > {
  readonly variables: readonly Variable[];
  readonly variableShapes?: Readonly<Partial<Record<Variable, readonly number[]>>>;
  readonly reset: (draws: readonly Tensor[], num_envs: Dim) => Known<Variable>;
  readonly observe: (state: Known<Variable>) => Tensor;
  readonly actionMask?: ((state: Known<Variable>) => Tensor) | undefined;
  readonly step: (state: Known<Variable>, action: Tensor, draws: readonly Tensor[]) => Transition<Variable>;
}

/**
 * Makes a compiled environment that checks that all variables and draws are there before it calls the
 * definition.
 *
 * @example
 * ```ts
 * import { greater, mul, ones, sub } from "rlkit/kernels";
 *
 * const coin = randomEnvironment({
 *   id: "mine/Coin-v0",
 *   observation_space: new Box({ low: -1, high: 1, shape: [1] }),
 *   action_space: new Discrete(2),
 *   max_episode_steps: 1,
 *   reward_threshold: null,
 *   variables: ["side"],
 *   resetDraws: 1,
 *   stepDraws: 0,
 *   reset: ([draw]) => ({ side: draw ?? ones([1]) }),
 *   observe: ({ side }) => side,
 *   step: ({ side }) => ({ state: { side }, reward: sub(mul(side, 2), 1), terminated: greater(side, -1) }),
 * });
 * ```
 */
export function randomEnvironment<Variable extends string>(
  definition: RandomEnvironmentDefinition<Variable>,
): CompiledEnvironment {
  const { variables, variableShapes = {}, reset, observe, actionMask, step, ...facts } = definition;
  const requireDraws = (what: "reset" | "step", draws: readonly Tensor[], needed: number): void => {
    if (draws.length !== needed)
      throw new RangeError(`${facts.id}: ${what}: found ${draws.length} draws, allowed ${needed}`);
  };
  const known = (state: EnvState) => knownState(facts.id, variables, state);
  return {
    ...facts,
    variables,
    variableShapes: variableShapes as Readonly<Record<string, readonly number[]>>,
    reset: (draws, num_envs) => {
      requireDraws("reset", draws, facts.resetDraws);
      return reset(draws, num_envs);
    },
    observe: (state) => observe(known(state)),
    ...(actionMask && { actionMask: (state) => actionMask(known(state)) }),
    step: (state, action, draws) => {
      requireDraws("step", draws, facts.stepDraws);
      return step(known(state), action, draws);
    },
  };
}
