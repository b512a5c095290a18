/** Registered environments of either kind, and the options that they are made with. */
import { meant, nearest } from "../../../specs/messages.ts";
import { frameStackOf, stackedObservations } from "../face/frameStackOption.ts";
import type { EnvironmentOptions } from "../face/HostEnvironment.ts";
import { appearanceOf } from "./Appearance.ts";
import { type CompiledEnvironment, dynamicsOf } from "./compiledEnvironment.ts";
import { stackedEnvironment } from "./frameStack.ts";
import type { HostEnvironmentDefinition } from "./hostEnvironmentDefinition.ts";

/**
 * Either kind of environment. Their common fields suffice to build agents and to decide when episodes end.
 */
export type RegisteredEnvironment = CompiledEnvironment | HostEnvironmentDefinition;

/** Whether the environment is compiled, so that members can train in it without leaving their device. */
export const isCompiled = (environment: RegisteredEnvironment): environment is CompiledEnvironment =>
  !("load" in environment);

function timeLimit(id: string, steps: unknown): number {
  if (typeof steps === "number" && Number.isInteger(steps) && steps >= 1) return steps;
  throw new RangeError(`${id}: max_episode_steps: found ${steps}, allowed positive integers`);
}

/**
 * Applies an environment's own options. A host environment without `withOptions` leaves them to its factory.
 */
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
 * Applies options to an environment: `max_episode_steps`, which replaces its time limit, the size of its frame stack,
 * and its own options.
 * @throws RangeError or SpecError naming the option that is unknown or out of range.
 */
export function configured(
  environment: RegisteredEnvironment,
  options: EnvironmentOptions,
): RegisteredEnvironment {
  const { id } = environment;
  const { frames, others } = frameStackOf(id, options);
  const { max_episode_steps: limit, ...own } = others;
  const chosen = withOwn(environment, own);
  const max_episode_steps = limit === undefined ? chosen.max_episode_steps : timeLimit(id, limit);
  if (!isCompiled(chosen)) {
    const { observation_space } = chosen;
    if (frames === 1) return { ...chosen, max_episode_steps, options };
    const { observation_names: _, ...unnamed } = chosen;
    const stacked = stackedObservations(id, observation_space, frames);
    return { ...unnamed, observation_space: stacked, max_episode_steps, options };
  }
  const plain: CompiledEnvironment = {
    ...chosen,
    max_episode_steps,
    options,
    ...appearanceOf(chosen),
    ...dynamicsOf(chosen),
  };
  return frames === 1 ? plain : stackedEnvironment(plain, frames);
}
