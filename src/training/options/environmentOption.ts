/** The environment of a run as callers give it: a name, a spec, or a live object. */
import { z } from "zod";
import {
  CompiledVectorEnvironment,
  type EnvironmentOptions,
  findEnvironment,
  type HostEnvironment,
  listEnvironments,
  NamedVectorEnvironment,
  type ParallelEnvironment,
  type VectorEnvironment,
} from "../../rl/environments/index.ts";
import { vectorOf } from "../../rl/environments/vector/vectorOf.ts";
import { hostLayout } from "../../rl/spaces/AgentSpaces.ts";
import type { AgentSpaces, Space } from "../../rl/spaces/index.ts";
import type { BanditEnvSpecInput, GymEnvSpecInput, OfflineEnvSpecInput } from "../../specs/index.ts";

export type LiveEnvironment = HostEnvironment | ParallelEnvironment | VectorEnvironment;
export type EnvironmentOption =
  | GymEnvSpecInput
  | OfflineEnvSpecInput
  | BanditEnvSpecInput
  | string
  | LiveEnvironment;

/** Whether somebody meant an object to be played in, sound or not: no name, and no field of a spec. */
export const isLive = (environment: unknown): environment is LiveEnvironment =>
  typeof environment === "function" ||
  (typeof environment === "object" &&
    environment !== null &&
    [
      "reset",
      "step",
      "then",
      "observation_space",
      "observation_spaces",
      "possible_agents",
      "single_observation_space",
    ].some((name) => name in environment));

/** A live environment as lanes; null for names and specs. @throws TypeError or RangeError as `vectorOf`. */
export const lanesOf = (environment: EnvironmentOption): VectorEnvironment | null =>
  isLive(environment) ? vectorOf(environment, "environment") : null;

/** A registered environment as a manifest names it. */
export interface RegisteredPlace {
  readonly name: string;
  /** Its options beside the name; null for none. */
  readonly env_config: EnvironmentOptions | null;
}

/** What can be kept in files and sent to workers. */
const PlainOptions = z.record(z.string(), z.json());

/**
 * The registered environment whose lanes these are, with its options, so that members can have lanes of their own
 * wherever they train; null for any other environment, and for options that are no plain data.
 */
export function registeredPlace(vector: VectorEnvironment): RegisteredPlace | null {
  if (!(vector instanceof CompiledVectorEnvironment || vector instanceof NamedVectorEnvironment)) return null;
  const { id, options = {} } = vector.environment;
  if (!listEnvironments().includes(id) || !PlainOptions.safeParse(options).success) return null;
  if (findEnvironment(id, options) !== vector.environment) return null;
  return { name: id, env_config: Object.keys(options).length > 0 ? options : null };
}

/** Spaces of one lane. */
export const spacesOf = (
  vector: VectorEnvironment,
): { readonly observation_space: Space; readonly action_space: Space } => ({
  observation_space: vector.single_observation_space,
  action_space: vector.single_action_space,
});

/** What rows of a memory are like where members train in such lanes, or in the environment that they stand for. */
export const layoutOf = (vector: VectorEnvironment): AgentSpaces =>
  vector instanceof CompiledVectorEnvironment && registeredPlace(vector) !== null
    ? spacesOf(vector)
    : hostLayout(spacesOf(vector));

/** The manifest's environment section for live lanes. */
export function sectionOf(vector: VectorEnvironment) {
  const { num_envs } = vector;
  const place = registeredPlace(vector);
  return place === null
    ? { name: vector.spec?.id ?? "custom", custom: true, num_envs }
    : { ...place, num_envs };
}
