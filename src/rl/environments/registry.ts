/** The registry of environments by id: compiled environments, and environments stepped on the host. */
import { alternatives, environmentId } from "../../specs/messages.ts";
import { requireGoals } from "../spaces.ts";
import { builtInEnvironments } from "./builtIn.ts";
import { dataAlone, requireDataSpaces } from "./dataAlone.ts";
import { requireAppearance } from "./definition/Appearance.ts";
import type { CompiledEnvironment } from "./definition/compiledEnvironment.ts";
import { configured, isCompiled, type RegisteredEnvironment } from "./definition/configured.ts";
import type { MakeHostEnvironment } from "./definition/hostEnvironmentDefinition.ts";
import { type DrawEnvironment, drawingOf, registeredDrawing } from "./drawing/drawing.ts";
import { requireSameAgents } from "./face/EnvironmentError.ts";
import { frameStackOf } from "./face/frameStackOption.ts";
import type { EnvironmentOptions } from "./face/HostEnvironment.ts";

export { isCompiled, type RegisteredEnvironment };

const registered = new Map<string, RegisteredEnvironment>();
/** Environments that only those who know their id find. */
const unlisted = new Map<string, RegisteredEnvironment>();
/** Cache by id and options: equal options give the same object, so its programs are traced only once. */
const withOptions = new Map<string, RegisteredEnvironment>();
const loaded = new Map<string, MakeHostEnvironment>();

/**
 * Registers an environment under its id.
 * @throws Error when another environment already has the id.
 * @throws SpecError when the drawing, glyph or frame rate is invalid.
 * @throws RangeError when the observation and action spaces have different agents, or observations do not fit goals.
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
    throw new Error(`environment "${id}" is already registered; choose another id or version`);
  requireSameAgents(environment, id);
  if (isCompiled(environment) && environment.goal) requireGoals(environment.observation_space, id);
  requireAppearance(environment);
  registered.set(id, environment);
}

/** Makes an environment of this thread known by its id, without listing it. A later one with the same id replaces it. */
export function provideEnvironment(environment: RegisteredEnvironment): void {
  unlisted.set(environment.id, environment);
}

for (const environment of builtInEnvironments) registerEnvironment(environment);
provideEnvironment(dataAlone);

/**
 * Ids of rlkit's own environments, which have a namespace (`/`). Gymnasium and related packages lack these
 * environments or use other names for them. Gymnasium's own ids have no namespace.
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

/** The environment without options; null for an unknown id. Particle worlds may have a package as prefix. */
const knownEnvironment = (id: string): RegisteredEnvironment | null =>
  registered.get(id) ?? registered.get(environmentId(id)) ?? unlisted.get(id) ?? null;

/**
 * @param options `max_episode_steps`, and the environment's own options (default: none).
 * @throws RangeError naming the nearest known ids when the id is unknown.
 * @throws RangeError or SpecError naming the option that is unknown or out of range.
 */
export function findEnvironment(id: string, options?: EnvironmentOptions | null): RegisteredEnvironment {
  const environment = knownEnvironment(id);
  requireDataSpaces(id, options);
  if (environment) return options ? findConfigured(environment, options) : environment;
  const others = alternatives("environment", id, { names: listEnvironments() });
  throw new RangeError(`environment: unknown environment "${id}"${others}`);
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

/**
 * @throws The same errors as `findEnvironment`, and RangeError when the environment is stepped on the host.
 */
export function findCompiledEnvironment(
  id: string,
  options?: EnvironmentOptions | null,
): CompiledEnvironment {
  const environment = findEnvironment(id, options);
  if (isCompiled(environment)) return environment;
  throw new RangeError(
    `environment: found "${id}", which is stepped in JavaScript and cannot run as a tensor program; step it with make() or makeVector()`,
  );
}

/**
 * Loads the implementation of a host environment, once. Compiled environments need no loading.
 * @throws RangeError when the id is unknown.
 *
 * @example
 * ```ts
 * await loadEnvironment("LunarLander-v3");
 * const env = make("LunarLander-v3");
 * ```
 */
export async function loadEnvironment(id: string): Promise<void> {
  const environment = knownEnvironment(id) ?? findEnvironment(id);
  if (isCompiled(environment) || loaded.has(id)) return;
  loaded.set(id, await environment.load());
}

/** The factory of a loaded host environment. @throws Error when `loadEnvironment` has not loaded it. */
export function loadedMaker(id: string): MakeHostEnvironment {
  const make = loaded.get(id);
  if (make) return make;
  throw new Error(`${id}: not loaded; call await loadEnvironment("${id}") first`);
}

/**
 * The drawing of an environment, by id: the one registered with `registerDrawing`, otherwise the
 * environment's own; null if there is neither.
 * @param options Options that the environment was made with (default: none).
 * @throws SpecError when the environment does not have one of the options.
 */
export function drawEnvironment(id: string, options: EnvironmentOptions = {}): DrawEnvironment | null {
  const known = registeredDrawing(id);
  if (known) return known;
  const environment = knownEnvironment(id);
  if (environment === null) return null;
  const { max_episode_steps: _limit, ...own } = frameStackOf(id, options).others;
  const isPlain = Object.keys(own).length === 0;
  return drawingOf((isPlain ? undefined : environment.withOptions?.(own)) ?? environment);
}
