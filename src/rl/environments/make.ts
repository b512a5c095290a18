import { CompiledVectorEnvironment } from "./CompiledVectorEnvironment.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import { Environment } from "./Environment.ts";
import type { NamedEnvironment } from "./NamedEnvironment.ts";
import { NamedVectorEnvironment } from "./NamedVectorEnvironment.ts";
import { findEnvironment, isCompiled, loadedMaker } from "./registry.ts";
import { requireLanes } from "./requireLanes.ts";
import type { PrepareProgram } from "./runProgram.ts";
import { prepareProgram } from "./runProgram.ts";
import type { VectorEnvironment } from "./VectorEnvironment.ts";

export interface MakeOptions {
  /** Time limit in place of the environment's own, steps. */
  readonly max_episode_steps?: number;
  /** What runs the dynamics of a compiled environment. */
  readonly prepare?: PrepareProgram;
  /** What a host environment understands beside these, such as LunarLander's `enable_wind`. */
  readonly [option: string]: unknown;
}

const COMPILED_OPTIONS: readonly string[] = ["max_episode_steps", "prepare"];

function timeLimit(id: string, steps: number): number {
  if (Number.isInteger(steps) && steps >= 1) return steps;
  throw new RangeError(`${id}: max_episode_steps: found ${steps}, allowed positive integers`);
}

function configured(environment: CompiledEnvironment, options: MakeOptions): CompiledEnvironment {
  const { id } = environment;
  const unknown = Object.keys(options).find((name) => !COMPILED_OPTIONS.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`${id}: option "${unknown}" is unknown, allowed: ${COMPILED_OPTIONS.join(", ")}`);
  const max_episode_steps = timeLimit(id, options.max_episode_steps ?? environment.max_episode_steps);
  if (max_episode_steps === environment.max_episode_steps) return environment;
  return {
    ...environment,
    max_episode_steps,
    // Named one by one, because a spread leaves out what an author's class has on its prototype.
    reset: (draws, num_envs) => environment.reset(draws, num_envs),
    observe: (state) => environment.observe(state),
    step: (state, action, draws) => environment.step(state, action, draws),
  };
}

/**
 * One environment, stepped one by one.
 *
 * @throws RangeError for an unknown id or option, or a time limit that is no positive integer; Error for a host
 *   environment that `loadEnvironment` has not loaded.
 */
export function make(id: string, options: MakeOptions = {}): NamedEnvironment {
  const environment = findEnvironment(id);
  if (isCompiled(environment))
    return new Environment(configured(environment, options), options.prepare ?? prepareProgram);
  const { max_episode_steps = environment.max_episode_steps } = options;
  return loadedMaker(id)({ ...options, max_episode_steps: timeLimit(id, max_episode_steps) });
}

/**
 * `num_envs` environments stepped together, with same-step auto-reset.
 *
 * @throws RangeError and Error as `make`, and RangeError unless `num_envs` is a positive integer.
 */
export function makeVector(id: string, num_envs: number, options: MakeOptions = {}): VectorEnvironment {
  const environment = findEnvironment(id);
  if (isCompiled(environment)) {
    const { prepare = prepareProgram } = options;
    return new CompiledVectorEnvironment(configured(environment, options), num_envs, prepare);
  }
  const factories = Array.from({ length: requireLanes(num_envs) }, () => () => make(id, options));
  const isPlain = Object.keys(options).every((name) => name === "max_episode_steps");
  return new NamedVectorEnvironment(factories, isPlain);
}
