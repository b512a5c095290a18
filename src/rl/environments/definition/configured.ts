import { meant } from "../../../specs/explainName.ts";
import { nearest } from "../../../specs/nearest.ts";
import type { EnvironmentOptions } from "../face/environmentOptions.ts";
import { appearanceOf } from "./Appearance.ts";
import { isCompiled, type RegisteredEnvironment } from "./registered.ts";

function timeLimit(id: string, steps: unknown): number {
  if (typeof steps === "number" && Number.isInteger(steps) && steps >= 1) return steps;
  throw new RangeError(`${id}: max_episode_steps: found ${steps}, allowed positive integers`);
}

/** With options of its own; a host environment that declares none leaves them to what makes its instances. */
function withOwn(environment: RegisteredEnvironment, options: EnvironmentOptions): RegisteredEnvironment {
  const [first] = Object.keys(options);
  if (first === undefined) return environment;
  if (environment.withOptions) return environment.withOptions(options);
  if (!isCompiled(environment)) return environment;
  throw new RangeError(
    `${environment.id}: option "${first}" is unknown${meant(nearest(first, ["max_episode_steps"]))}, allowed: max_episode_steps (steps before an episode is cut off)`,
  );
}

/**
 * An environment with options: `max_episode_steps`, the time limit in place of its own, and what it has itself.
 * @throws RangeError and SpecError naming the option that is unknown or out of range.
 */
export function configured(
  environment: RegisteredEnvironment,
  options: EnvironmentOptions,
): RegisteredEnvironment {
  const { max_episode_steps: limit, ...own } = options;
  const chosen = withOwn(environment, own);
  const { id } = environment;
  const max_episode_steps = limit === undefined ? chosen.max_episode_steps : timeLimit(id, limit);
  if (!isCompiled(chosen)) return { ...chosen, max_episode_steps, options };
  return {
    ...chosen,
    max_episode_steps,
    options,
    ...appearanceOf(chosen),
    // Named one by one, because a spread leaves out what an author's class has on its prototype.
    reset: (draws, num_envs) => chosen.reset(draws, num_envs),
    observe: (state) => chosen.observe(state),
    step: (state, action, draws) => chosen.step(state, action, draws),
  };
}
