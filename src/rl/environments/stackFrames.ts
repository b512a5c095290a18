/** Environments that the host steps, with stacks of the latest observations in place of observations. */
import { Agents, ElementCheck, elementNumbers, type Space, type SpaceElement } from "../spaces.ts";
import { nameOf } from "./face/EnvironmentError.ts";
import { FRAME_STACK, requireFrames, stackedObservations } from "./face/frameStackOption.ts";
import type { HostEnvironment, ResetOptions } from "./face/HostEnvironment.ts";
import { isParallelEnvironment, type ParallelEnvironment } from "./face/ParallelEnvironment.ts";
import { elementFault } from "./face/resultFault.ts";
import {
  isVectorEnvironment,
  type LastingLanes,
  lastingLanes,
  type PlacedLanes,
  type StackedPlaces,
  type VectorEnvironment,
} from "./face/VectorEnvironment.ts";
import { findEnvironment, listEnvironments, type RegisteredEnvironment } from "./registry.ts";
import { FrameStacks } from "./vector/FrameStacks.ts";

/** An environment with some members replaced. Methods that are not replaced see the environment itself. */
const replaced = <Environment extends object>(environment: Environment, own: object): Environment =>
  new Proxy(environment, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
  });

/** The stack of one agent, which begins again after a reset and wherever the state was set. */
class AgentStack {
  isFresh = true;
  readonly #stacks: FrameStacks;
  readonly #space: Space;
  readonly #check: ElementCheck;

  constructor(space: Space, frames: number) {
    this.#stacks = new FrameStacks(space, frames, 1);
    this.#space = space;
    this.#check = new ElementCheck(space);
  }

  /** The stack with an observation. @throws TypeError for an observation that is not in the space. */
  add(observation: SpaceElement): Float32Array {
    const fault = elementFault("observation", observation, { space: this.#space, check: this.#check });
    if (fault !== null) throw new TypeError(fault);
    const numbers = elementNumbers(this.#space, observation);
    if (this.isFresh) this.#stacks.begin(0, numbers);
    else this.#stacks.push(0, numbers);
    this.isFresh = false;
    return this.#stacks.read(0);
  }

  save(): Float32Array {
    return this.#stacks.all();
  }

  load(rows: Float32Array): void {
    this.#stacks.place(rows);
    this.isFresh = false;
  }
}

/** Whether an object has a field. What reads the results of environments names those that are missing. */
const has = (value: unknown, field: string): boolean =>
  typeof value === "object" && value !== null && field in value;

/** `setState` of an environment that has it, after which the stacks begin again. */
const settingState = (env: HostEnvironment | ParallelEnvironment, stacks: Iterable<AgentStack>) =>
  env.setState && {
    setState: (state: ArrayLike<number>) => {
      env.setState?.(state);
      for (const stack of stacks) stack.isFresh = true;
    },
  };

/** `save` and `load` of an environment that has them, with its stacks. */
const savingStacks = (env: HostEnvironment | ParallelEnvironment, stacks: readonly AgentStack[]) =>
  env.save && {
    save: () => ({ environment: env.save?.(), stacks: stacks.map((stack) => stack.save()) }),
    load: (state: unknown) => {
      // What `save` gave.
      const saved = state as { readonly environment: unknown; readonly stacks: readonly Float32Array[] };
      env.load?.(saved.environment);
      for (const [i, stack] of stacks.entries()) stack.load(saved.stacks[i] as Float32Array);
    },
  };

function stackedSingle<Environment extends HostEnvironment>(env: Environment, frames: number): Environment {
  const observation_space = stackedObservations(nameOf(env), env.observation_space, frames);
  const stack = new AgentStack(env.observation_space, frames);
  const seen = <Result extends { readonly observation: SpaceElement }>(result: Result): Result =>
    has(result, "observation") ? { ...result, observation: stack.add(result.observation) } : result;
  return replaced(env, {
    observation_space,
    reset: (options?: ResetOptions) => {
      const result = options === undefined ? env.reset() : env.reset(options);
      stack.isFresh = true;
      return seen(result);
    },
    step: (action: Parameters<HostEnvironment["step"]>[0]) => seen(env.step(action)),
    ...settingState(env, [stack]),
    ...savingStacks(env, [stack]),
  });
}

function stackedParallel<Environment extends ParallelEnvironment>(
  env: Environment,
  frames: number,
): Environment {
  const joint = stackedObservations(nameOf(env), new Agents(env.observation_spaces), frames) as Agents;
  const stacks = Object.fromEntries(
    Object.entries(env.observation_spaces).map(([id, space]) => [id, new AgentStack(space, frames)]),
  );
  const seen = <Result extends { readonly observations: Readonly<Record<string, SpaceElement>> }>(
    result: Result,
  ): Result => {
    if (!has(result, "observations") || !result.observations) return result;
    const each = Object.entries(result.observations).map(([id, own]) => [id, stacks[id]?.add(own) ?? own]);
    return { ...result, observations: Object.fromEntries(each) };
  };
  return replaced(env, {
    observation_spaces: joint.spaces,
    reset: (options?: ResetOptions) => {
      const result = options === undefined ? env.reset() : env.reset(options);
      for (const stack of Object.values(stacks)) stack.isFresh = true;
      return seen(result);
    },
    step: (actions: Parameters<ParallelEnvironment["step"]>[0]) => seen(env.step(actions)),
    ...settingState(env, Object.values(stacks)),
    ...savingStacks(env, Object.values(stacks)),
  });
}

/** The environment of lanes that a name made, so that members which train elsewhere have stacks there too. */
function stackedPlace(
  lanes: VectorEnvironment & { readonly environment?: RegisteredEnvironment },
  frames: number,
) {
  const { id, options = {} } = lanes.environment ?? {};
  if (id === undefined || !listEnvironments().includes(id)) return {};
  if (findEnvironment(id, options) !== lanes.environment) return {};
  return { environment: findEnvironment(id, { ...options, [FRAME_STACK]: frames }) };
}

/** Lanes that can go on, with their stacks. */
const lastingStacks = (lanes: LastingLanes | null, stacks: FrameStacks) =>
  lanes && {
    goOn: (seed: number, given: StackedPlaces | null) => {
      const placed = lanes.goOn(seed, given?.places ?? null, null) as PlacedLanes;
      return stacks.afterGoOn(placed, given?.stacks ?? null);
    },
    places: (): StackedPlaces => ({ places: lanes.places(), stacks: stacks.all() }),
  };

function stackedVector<Environment extends VectorEnvironment>(env: Environment, frames: number): Environment {
  const { single_observation_space: space, num_envs } = env;
  const single_observation_space = stackedObservations(nameOf(env), space, frames);
  const stacks = new FrameStacks(space, frames, num_envs);
  return replaced(env, {
    single_observation_space,
    ...stackedPlace(env, frames),
    reset: (options?: Parameters<VectorEnvironment["reset"]>[0]) => stacks.afterReset(env.reset(options)),
    step: (actions: ArrayLike<number>, wanted?: Uint8Array) =>
      stacks.afterStep(env.step(actions, wanted), wanted),
    ...lastingStacks(lastingLanes(env), stacks),
  });
}

/**
 * An environment that observes stacks of its `frames` latest observations, the oldest first, like Gymnasium's
 * `FrameStackObservation`. The first observation of an episode, or after `setState`, fills the stack. Boxes get a
 * leading dimension, and networks read a stack of images as one image with the channels of all. In a Dict or Tuple,
 * every part has a stack of its own, except that a single choice stays the latest one. The environment given is the
 * one that is stepped.
 *
 * @throws RangeError for a number of frames that is not an integer from 1 to 256, and for observations that are only
 * single choices.
 *
 * @example
 * ```ts
 * const env = stackFrames(make("CartPole-v1"), 4);
 * const { observation } = env.reset({ seed: 1 }); // 4 times 4 numbers
 * ```
 */
export function stackFrames<Environment extends HostEnvironment | ParallelEnvironment | VectorEnvironment>(
  env: Environment,
  frames: number,
): Environment;
export function stackFrames(env: HostEnvironment | ParallelEnvironment | VectorEnvironment, frames: number) {
  if (requireFrames(nameOf(env), frames) === 1) return env;
  if (isVectorEnvironment(env)) return stackedVector(env, frames);
  return isParallelEnvironment(env) ? stackedParallel(env, frames) : stackedSingle(env, frames);
}
