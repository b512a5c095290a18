import { CompiledParallelEnvironment } from "./compiled/CompiledParallelEnvironment.ts";
import { CompiledVectorEnvironment } from "./compiled/CompiledVectorEnvironment.ts";
import { Environment } from "./compiled/Environment.ts";
import type { PrepareProgram } from "./compiled/runProgram.ts";
import { prepareProgram } from "./compiled/runProgram.ts";
import type { NamedEnvironment } from "./face/NamedEnvironment.ts";
import type { NamedParallelEnvironment } from "./face/NamedParallelEnvironment.ts";
import { requireLanes } from "./face/requireLanes.ts";
import type { VectorEnvironment } from "./face/VectorEnvironment.ts";
import { findEnvironment, isCompiled, loadedMaker } from "./registry.ts";
import { NamedVectorEnvironment } from "./vector/NamedVectorEnvironment.ts";

export interface MakeOptions {
  /** Time limit in place of the environment's own, steps. */
  readonly max_episode_steps?: number;
  /** What runs the dynamics of a compiled environment. */
  readonly prepare?: PrepareProgram;
  /** What the environment understands beside these, such as LunarLander's `enable_wind`. */
  readonly [option: string]: unknown;
}

/** What `make` returns, by the number of agents. */
export interface EnvironmentFaces {
  readonly single: NamedEnvironment;
  readonly parallel: NamedParallelEnvironment;
}

/** Particle worlds, under their own names and under those of the packages that have them. */
export type ParallelEnvironmentId =
  `${"" | "mpe2." | "pettingzoo.mpe."}${"simple_v3" | "simple_spread_v3" | "simple_speaker_listener_v4" | "simple_adversary_v3" | "simple_tag_v3" | "simple_reference_v3" | "simple_push_v3"}`;

/**
 * One environment of several agents, stepped one by one: PettingZoo's parallel face.
 *
 * @throws As for an environment of one agent.
 *
 * @example
 * ```ts
 * const env = make("simple_speaker_listener_v4");
 * env.reset({ seed: 1 });
 * const { rewards, truncations } = env.step({ speaker_0: 2, listener_0: 1 });
 * ```
 */
export function make(id: ParallelEnvironmentId, options?: MakeOptions): NamedParallelEnvironment;
/**
 * One environment, stepped one by one. The compiler takes it for one of one agent unless it knows the id; for
 * several agents of your own, name the face: `make<"parallel">("mine/Pair-v0")`.
 *
 * @throws RangeError for an unknown id or a time limit that is no positive integer; RangeError or SpecError for other
 *   options; Error for a host environment that `loadEnvironment` has not loaded.
 *
 * @example
 * ```ts
 * const env = make("CartPole-v1", { max_episode_steps: 100 });
 * const { observation } = env.reset({ seed: 1 });
 * const { reward, terminated, truncated } = env.step(1);
 * ```
 */
export function make<Face extends keyof EnvironmentFaces = "single">(
  id: string,
  options?: MakeOptions,
): EnvironmentFaces[Face];
export function make(id: string, options: MakeOptions = {}): NamedEnvironment | NamedParallelEnvironment {
  const { prepare = prepareProgram, ...given } = options;
  const environment = findEnvironment(id, given);
  if (isCompiled(environment)) {
    const isParallel = environment.observation_space.kind === "Agents";
    return new (isParallel ? CompiledParallelEnvironment : Environment)(environment, prepare);
  }
  const { max_episode_steps } = environment;
  return loadedMaker(id)({ ...given, max_episode_steps });
}

/**
 * `num_envs` environments stepped together, with same-step auto-reset.
 *
 * @throws As `make`, and RangeError unless `num_envs` is a positive integer.
 *
 * @example
 * ```ts
 * const env = makeVector("CartPole-v1", 16);
 * const { observation } = env.reset({ seed: 1 });
 * ```
 */
export function makeVector(id: string, num_envs: number, options: MakeOptions = {}): VectorEnvironment {
  const { prepare = prepareProgram, ...given } = options;
  const environment = findEnvironment(id, given);
  if (isCompiled(environment)) return new CompiledVectorEnvironment(environment, num_envs, prepare);
  const factories = Array.from({ length: requireLanes(num_envs) }, () => () => make(id, options));
  return new NamedVectorEnvironment(factories, environment);
}
