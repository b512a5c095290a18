/** Environments by id: compiled ones, and ones that the host steps. */
import { environmentId } from "../../specs/environmentId.ts";
import { nearest } from "../../specs/nearest.ts";
import { builtInEnvironments } from "./builtIn.ts";
import type { CompiledEnvironment } from "./definition/compiledEnvironment.ts";
import { configured } from "./definition/configured.ts";
import type { MakeHostEnvironment } from "./definition/hostEnvironmentDefinition.ts";
import { isCompiled, type RegisteredEnvironment } from "./definition/registered.ts";
import { requireAppearance } from "./definition/requireAppearance.ts";
import type { EnvironmentOptions } from "./face/environmentOptions.ts";
import { requireSameAgents } from "./face/requireAgents.ts";

export { isCompiled, type RegisteredEnvironment };

const registered = new Map<string, RegisteredEnvironment>();
/** By id and options, so that the same ones are the same object, whose programs are traced once. */
const withOptions = new Map<string, RegisteredEnvironment>();
const loaded = new Map<string, MakeHostEnvironment>();

/**
 * Makes an environment known under its id.
 * @throws Error when the id is taken by another one; SpecError for a drawing, a glyph or a frame rate that is none;
 *   RangeError for observations and actions of other agents.
 *
 * @example
 * ```ts
 * import { CartPole } from "rlkit/rl";
 *
 * registerEnvironment({ ...CartPole, id: "mine/CartPole-long-v0", max_episode_steps: 2_000 });
 * const env = make("mine/CartPole-long-v0");
 * ```
 */
export function registerEnvironment(environment: RegisteredEnvironment): void {
  const { id } = environment;
  const known = registered.get(id);
  if (known && known !== environment)
    throw new Error(`environment "${id}" is registered already; give the new one another id or version`);
  requireSameAgents(environment, id);
  requireAppearance(environment);
  registered.set(id, environment);
}

for (const environment of builtInEnvironments) registerEnvironment(environment);

/**
 * Ids of the environments that are rlkit's own: Gymnasium and its relatives know them under no name or another. Those
 * of Gymnasium itself have no namespace.
 */
export const listOwnEnvironments = (): string[] =>
  builtInEnvironments.map(({ id }) => id).filter((id) => id.includes("/"));

/**
 * Ids of all environments, in order of registration.
 *
 * @example
 * ```ts
 * console.log(listEnvironments().includes("CartPole-v1")); // true
 * ```
 */
export const listEnvironments = (): string[] => [...registered.keys()];

/** An environment without options, or null for an id that is unknown. Particle worlds may have a package's name before them. */
export const knownEnvironment = (id: string): RegisteredEnvironment | null =>
  registered.get(id) ?? registered.get(environmentId(id)) ?? null;

/**
 * @param options Beside the name: `max_episode_steps`, and what the environment has itself; none unless given.
 * @throws RangeError naming the nearest known id; RangeError or SpecError naming the option that is unknown or out of range.
 */
export function findEnvironment(id: string, options?: EnvironmentOptions | null): RegisteredEnvironment {
  const environment = knownEnvironment(id);
  if (environment) return options ? findConfigured(environment, options) : environment;
  const near = nearest(id, registered.keys());
  throw new RangeError(
    `environment: found "${id}"${near ? `; did you mean "${near}"?` : ""} Known are: ${listEnvironments().join(", ")}`,
  );
}

function findConfigured(
  environment: RegisteredEnvironment,
  options: EnvironmentOptions,
): RegisteredEnvironment {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.length === 0) return environment;
  const key = `${environment.id} ${JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
  const found = withOptions.get(key) ?? configured(environment, Object.fromEntries(given));
  withOptions.set(key, found);
  return found;
}

/** @throws As `findEnvironment`, and RangeError for an environment that the host steps. */
export function findCompiledEnvironment(
  id: string,
  options?: EnvironmentOptions | null,
): CompiledEnvironment {
  const environment = findEnvironment(id, options);
  if (isCompiled(environment)) return environment;
  throw new RangeError(
    `environment: found "${id}", which is stepped in JavaScript and cannot run as a tensor program`,
  );
}

/**
 * Loads what instances of an environment are made of, once; compiled ones need nothing.
 * @throws RangeError as `findEnvironment`.
 *
 * @example
 * ```ts
 * await loadEnvironment("LunarLander-v3");
 * const env = make("LunarLander-v3");
 * ```
 */
export async function loadEnvironment(id: string): Promise<void> {
  const environment = findEnvironment(id);
  if (isCompiled(environment) || loaded.has(id)) return;
  loaded.set(id, await environment.load());
}

/** What makes instances of a host environment. @throws Error before `loadEnvironment`. */
export function loadedMaker(id: string): MakeHostEnvironment {
  const make = loaded.get(id);
  if (make) return make;
  throw new Error(`${id}: is not loaded; call await loadEnvironment("${id}") first`);
}
