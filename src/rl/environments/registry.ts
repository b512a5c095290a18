/** Environments by id: compiled ones, and ones that the host steps. */
import { nearest } from "../../specs/nearest.ts";
import { Acrobot } from "./Acrobot.ts";
import { CartPole } from "./CartPole.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import { configured } from "./configured.ts";
import type { EnvironmentOptions } from "./environmentOptions.ts";
import type { MakeHostEnvironment } from "./hostEnvironmentDefinition.ts";
import { LunarLanderContinuous, LunarLanderDiscrete } from "./lunarLander/definitions.ts";
import { MountainCar } from "./MountainCar.ts";
import { MountainCarContinuous } from "./MountainCarContinuous.ts";
import { Asterix, Breakout, Freeway, Seaquest, SpaceInvaders } from "./minatar/index.ts";
import { Pendulum } from "./Pendulum.ts";
import { probeEnvironments } from "./probes/index.ts";
import { isCompiled, type RegisteredEnvironment } from "./registered.ts";
import { Blackjack } from "./toyText/Blackjack.ts";
import { CliffWalking, CliffWalkingSlippery } from "./toyText/CliffWalking.ts";
import { FrozenLake, FrozenLake8x8 } from "./toyText/FrozenLake.ts";
import { Taxi, TaxiV4 } from "./toyText/Taxi.ts";
import { AcrobotMasked, CartPoleMasked, MountainCarMasked, PendulumMasked } from "./velocityMasked.ts";

export { isCompiled, type RegisteredEnvironment };

const registered = new Map<string, RegisteredEnvironment>();
/** By id and options, so that the same ones are the same object, whose programs are traced once. */
const withOptions = new Map<string, RegisteredEnvironment>();
const loaded = new Map<string, MakeHostEnvironment>();

/** Makes an environment known under its id.
 * @throws Error when the id is taken by another one. */
export function registerEnvironment(environment: RegisteredEnvironment): void {
  const { id } = environment;
  const known = registered.get(id);
  if (known && known !== environment)
    throw new Error(`environment "${id}" is registered already; give the new one another id or version`);
  registered.set(id, environment);
}

const classicControl = [CartPole, Acrobot, MountainCar, MountainCarContinuous, Pendulum];
const velocityMasked = [CartPoleMasked, AcrobotMasked, MountainCarMasked, PendulumMasked];
const box2d = [LunarLanderDiscrete, LunarLanderContinuous];
const toyText = [FrozenLake, FrozenLake8x8, CliffWalking, CliffWalkingSlippery, Taxi, TaxiV4, Blackjack];
const minatar = [Breakout, Freeway, SpaceInvaders, Asterix, Seaquest];
const probes = probeEnvironments.map(({ environment }) => environment);
const all = [...classicControl, ...velocityMasked, ...box2d, ...toyText, ...minatar, ...probes];

for (const environment of all) registerEnvironment(environment);

/** Ids of the environments that are rlkit's own: Gymnasium and its relatives know them under no name or another. */
export const listOwnEnvironments = (): string[] =>
  [...velocityMasked, ...minatar, ...probes].map(({ id }) => id);

/** Ids of all environments, in order of registration. */
export const listEnvironments = (): string[] => [...registered.keys()];

/**
 * @param options Beside the name: `max_episode_steps`, and what the environment has itself; none unless given.
 * @throws RangeError naming the nearest known id; RangeError or SpecError naming the option that is unknown or out of range.
 */
export function findEnvironment(id: string, options?: EnvironmentOptions | null): RegisteredEnvironment {
  const environment = registered.get(id);
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
