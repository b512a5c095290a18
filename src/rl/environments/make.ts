import { CompiledParallelEnvironment } from "./compiled/CompiledParallelEnvironment.ts";
import { CompiledVectorEnvironment } from "./compiled/CompiledVectorEnvironment.ts";
import { Environment } from "./compiled/Environment.ts";
import { type PrepareProgram, prepareProgram } from "./compiled/hostPrograms.ts";
import type { HostEnvironmentDefinition } from "./definition/hostEnvironmentDefinition.ts";
import { requireLanes } from "./face/EnvironmentError.ts";
import { frameStackOf } from "./face/frameStackOption.ts";
import type { NamedEnvironment, NamedParallelEnvironment } from "./face/ParallelEnvironment.ts";
import type { VectorEnvironment } from "./face/VectorEnvironment.ts";
import { findEnvironment, isCompiled, loadedMaker } from "./registry.ts";
import { stackFrames } from "./stackFrames.ts";
import { SyncVectorEnvironment } from "./vector/SyncVectorEnvironment.ts";

/** Lanes of a registered host environment. Created by `makeVector`. */
export class NamedVectorEnvironment extends SyncVectorEnvironment {
  /** The environment of the lanes, with its options. */
  readonly environment: HostEnvironmentDefinition;

  /** @throws RangeError when there is no factory. */
  constructor(
    factories: readonly (() => NamedEnvironment | NamedParallelEnvironment)[],
    environment: HostEnvironmentDefinition,
  ) {
    super(factories);
    this.environment = environment;
  }
}

export interface MakeOptions {
  /** Time limit in steps; replaces the environment's own. */
  readonly max_episode_steps?: number;
  /** Prepares the programs of a compiled environment to run (default: {@link prepareProgram}). */
  readonly prepare?: PrepareProgram;
  /** The environment's own options, such as LunarLander's `enable_wind`. */
  readonly [option: string]: unknown;
}

/** Return type of `make` for single-agent and for multi-agent environments. */
export interface EnvironmentFaces {
  readonly single: NamedEnvironment;
  readonly parallel: NamedParallelEnvironment;
}

/** Ids of the particle worlds, alone or prefixed with a package that provides them. */
export type ParallelEnvironmentId =
  `${"" | "mpe2." | "pettingzoo.mpe."}${"simple_v3" | "simple_spread_v3" | "simple_speaker_listener_v4" | "simple_adversary_v3" | "simple_tag_v3" | "simple_reference_v3" | "simple_push_v3"}`;

/**
 * Makes one multi-agent environment, with PettingZoo's parallel interface.
 *
 * @throws The same errors as for a single-agent environment.
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
 * Makes one environment. The type is that of a single-agent environment unless TypeScript knows the id. For
 * your own multi-agent environments, name the type: `make<"parallel">("mine/Pair-v0")`.
 *
 * @throws RangeError when the id is unknown or the time limit is not a positive integer.
 * @throws RangeError or SpecError when another option is unknown or out of range.
 * @throws Error when a host environment has not been loaded with `loadEnvironment`.
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
  const { frames, others } = frameStackOf(id, given);
  return stackFrames(loadedMaker(id)({ ...others, max_episode_steps }), frames);
}

/**
 * Makes `num_envs` environments that are stepped together, with same-step auto-reset.
 *
 * @throws The same errors as `make`, and RangeError unless `num_envs` is a positive integer.
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
