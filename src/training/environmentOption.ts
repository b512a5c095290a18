/** The environment of a run as callers give it: a name, a spec, or a live object. */
import {
  CompiledVectorEnvironment,
  findEnvironment,
  type HostEnvironment,
  listEnvironments,
  NamedVectorEnvironment,
  type VectorEnvironment,
} from "../rl/environments/index.ts";
import { vectorOf } from "../rl/environments/vectorOf.ts";
import type { Space } from "../rl/spaces/index.ts";
import type { GymEnvSpecInput } from "../specs/index.ts";

export type LiveEnvironment = HostEnvironment | VectorEnvironment;
export type EnvironmentOption = GymEnvSpecInput | string | LiveEnvironment;

/** Whether somebody meant an object to be played in, sound or not: no name, and no field of a spec. */
const isLive = (environment: unknown): environment is LiveEnvironment =>
  typeof environment === "function" ||
  (typeof environment === "object" &&
    environment !== null &&
    ["reset", "step", "then", "observation_space", "single_observation_space"].some(
      (name) => name in environment,
    ));

/** A live environment as lanes; null for names and specs. @throws TypeError or RangeError as `vectorOf`. */
export const lanesOf = (environment: EnvironmentOption): VectorEnvironment | null =>
  isLive(environment) ? vectorOf(environment, "environment") : null;

/**
 * The name of the registered environment whose lanes these are as it is, so that members can have lanes of their own
 * wherever they train; null for any other environment.
 */
export function registeredName(vector: VectorEnvironment): string | null {
  if (!(vector instanceof CompiledVectorEnvironment || vector instanceof NamedVectorEnvironment)) return null;
  const { id } = vector.environment;
  return listEnvironments().includes(id) && findEnvironment(id) === vector.environment ? id : null;
}

/** Spaces of one lane. */
export const spacesOf = (
  vector: VectorEnvironment,
): { readonly observation_space: Space; readonly action_space: Space } => ({
  observation_space: vector.single_observation_space,
  action_space: vector.single_action_space,
});

/** The manifest's environment section for live lanes. */
export function sectionOf(vector: VectorEnvironment) {
  const { num_envs } = vector;
  const name = registeredName(vector);
  return name === null ? { name: vector.spec?.id ?? "custom", custom: true, num_envs } : { name, num_envs };
}
