/** The environment of a run, as given by callers: a name, a spec, or a live object. */
import { z } from "zod";
import type { BanditEnvSpecInput, GymEnvSpecInput, OfflineEnvSpecInput } from "../../manifests/index.ts";
import {
  CompiledVectorEnvironment,
  findEnvironment,
  isCompiled,
  listEnvironments,
  NamedVectorEnvironment,
  vectorOf,
} from "../../rl/environments.ts";
import type {
  EnvironmentOptions,
  HostEnvironment,
  ParallelEnvironment,
  VectorEnvironment,
} from "../../rl/faces.ts";
import { type AgentSpaces, hostLayout, type Space } from "../../rl/spaces.ts";
import { NO_ENVIRONMENT } from "../../specs/sections.ts";

type LiveEnvironment = HostEnvironment | ParallelEnvironment | VectorEnvironment;
export type EnvironmentOption =
  | GymEnvSpecInput
  | OfflineEnvSpecInput
  | BanditEnvSpecInput
  | string
  | LiveEnvironment;

/** Whether a value is meant as a live environment, valid or not, rather than a name or a spec. */
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

/**
 * A live environment as a vector environment; null for names and specs.
 * @throws TypeError or RangeError like `vectorOf`.
 */
export const lanesOf = (environment: EnvironmentOption): VectorEnvironment | null =>
  isLive(environment) ? vectorOf(environment, "environment") : null;

/** A registered environment, as named in a manifest. */
interface RegisteredPlace {
  readonly name: string;
  /** Options of the environment; null for none. */
  readonly env_config: EnvironmentOptions | null;
}

/** Options that can be stored in files and sent to workers. */
const PlainOptions = z.record(z.string(), z.json());

/**
 * The registered environment of a vector environment, with its options, so that members can have their own
 * lanes wherever they train. Null for any other environment, and for options that are not plain data.
 */
export function registeredPlace(vector: VectorEnvironment): RegisteredPlace | null {
  if (!(vector instanceof CompiledVectorEnvironment || vector instanceof NamedVectorEnvironment)) return null;
  const { id, options = {} } = vector.environment;
  const isListed = id === NO_ENVIRONMENT || listEnvironments().includes(id);
  if (!isListed || !PlainOptions.safeParse(options).success) return null;
  if (findEnvironment(id, options) !== vector.environment) return null;
  return { name: id, env_config: Object.keys(options).length > 0 ? options : null };
}

/**
 * Training steps a caller's lanes as they are, and in those of a game one agent would move for both players.
 * @throws RangeError naming `place`, if the lanes are those of a game.
 */
export function requireNoGame(vector: VectorEnvironment, place: string): void {
  const id = vector.spec?.id ?? "";
  if (!listEnvironments().includes(id)) return;
  const environment = findEnvironment(id);
  if (!isCompiled(environment) || !environment.game) return;
  throw new RangeError(
    `${place}: found lanes of ${id}, a game whose players would be trained as one agent; allowed: other environments. LocalTrainer trains games by self-play: give it environment: { name: "${id}" }`,
  );
}

/** Spaces of a single lane. */
export const spacesOf = (
  vector: VectorEnvironment,
): { readonly observation_space: Space; readonly action_space: Space } => ({
  observation_space: vector.single_observation_space,
  action_space: vector.single_action_space,
});

/** Layout of replay buffer rows for members that train in these lanes, or in their registered environment. */
export const layoutOf = (vector: VectorEnvironment): AgentSpaces =>
  vector instanceof CompiledVectorEnvironment && registeredPlace(vector) !== null
    ? spacesOf(vector)
    : hostLayout(spacesOf(vector));

/** The manifest's environment section for a live vector environment. @internal */
export function sectionOf(vector: VectorEnvironment) {
  const { num_envs } = vector;
  const place = registeredPlace(vector);
  return place === null
    ? { name: vector.spec?.id ?? "custom", custom: true, num_envs }
    : { ...place, num_envs };
}
