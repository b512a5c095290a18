import { CompiledVectorEnvironment } from "./CompiledVectorEnvironment.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import { Environment } from "./Environment.ts";
import { findEnvironment } from "./registry.ts";
import type { PrepareProgram } from "./runProgram.ts";
import { prepareProgram } from "./runProgram.ts";

export interface MakeOptions {
  /** Time limit in place of the environment's own, steps. */
  readonly max_episode_steps?: number;
  /** What runs the dynamics. */
  readonly prepare?: PrepareProgram;
}

const OPTIONS: readonly string[] = ["max_episode_steps", "prepare"];

function configured(id: string, options: MakeOptions): CompiledEnvironment {
  const environment = findEnvironment(id);
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`${id}: option "${unknown}" is unknown, allowed: max_episode_steps, prepare`);
  const { max_episode_steps = environment.max_episode_steps } = options;
  if (!Number.isInteger(max_episode_steps) || max_episode_steps < 1)
    throw new RangeError(`${id}: max_episode_steps: found ${max_episode_steps}, allowed positive integers`);
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
 * @throws RangeError for an unknown id or option, or a time limit that is no positive integer.
 */
export const make = (id: string, options: MakeOptions = {}): Environment =>
  new Environment(configured(id, options), options.prepare ?? prepareProgram);

/**
 * `num_envs` environments stepped together, with same-step auto-reset.
 *
 * @throws RangeError as `make`, and unless `num_envs` is a positive integer.
 */
export const makeVector = (
  id: string,
  num_envs: number,
  options: MakeOptions = {},
): CompiledVectorEnvironment =>
  new CompiledVectorEnvironment(configured(id, options), num_envs, options.prepare ?? prepareProgram);
