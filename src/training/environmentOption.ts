/** The environment of a run as callers give it: a name, a spec, or a live object. */
import {
  CompiledVectorEnvironment,
  findEnvironment,
  type HostEnvironment,
  listEnvironments,
  type VectorEnvironment,
} from "../rl/environments/index.ts";
import type { Space } from "../rl/spaces/index.ts";
import type { GymEnvSpecInput } from "../specs/index.ts";
import { vectorOf } from "./hostMembers.ts";

export type LiveEnvironment = HostEnvironment | VectorEnvironment;
export type EnvironmentOption = GymEnvSpecInput | string | LiveEnvironment;

const isLive = (environment: unknown): environment is LiveEnvironment =>
  typeof environment === "object" && environment !== null && "reset" in environment && "step" in environment;

/** A live environment as lanes; null for names and specs. */
export const lanesOf = (environment: EnvironmentOption): VectorEnvironment | null =>
  isLive(environment) ? vectorOf(environment) : null;

/** Whether the lanes are those of a registered environment as it is, so that members can run compiled. */
export function runsCompiled(vector: VectorEnvironment): vector is CompiledVectorEnvironment {
  if (!(vector instanceof CompiledVectorEnvironment)) return false;
  const { id, max_episode_steps } = vector.spec;
  return listEnvironments().includes(id) && findEnvironment(id).max_episode_steps === max_episode_steps;
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
  const name = vector.spec?.id ?? "custom";
  return runsCompiled(vector) ? { name, num_envs } : { name, custom: true, num_envs };
}
