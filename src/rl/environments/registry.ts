/** Environments by id: compiled ones, and ones that the host steps. */
import { nearest } from "../../specs/nearest.ts";
import { Acrobot } from "./Acrobot.ts";
import { CartPole } from "./CartPole.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import type { HostEnvironmentDefinition, MakeHostEnvironment } from "./hostEnvironmentDefinition.ts";
import { LunarLanderContinuous, LunarLanderDiscrete } from "./lunarLander/definitions.ts";
import { MountainCar } from "./MountainCar.ts";
import { MountainCarContinuous } from "./MountainCarContinuous.ts";
import { Asterix, Breakout, Freeway, Seaquest, SpaceInvaders } from "./minatar/index.ts";
import { Pendulum } from "./Pendulum.ts";
import { probeEnvironments } from "./probes/index.ts";
import { Blackjack } from "./toyText/Blackjack.ts";
import { CliffWalking } from "./toyText/CliffWalking.ts";
import { FrozenLake, FrozenLake8x8 } from "./toyText/FrozenLake.ts";
import { Taxi } from "./toyText/Taxi.ts";
import { AcrobotMasked, CartPoleMasked, MountainCarMasked, PendulumMasked } from "./velocityMasked.ts";

/** Either kind; what both have is enough to build agents and to say when episodes end. */
export type RegisteredEnvironment = CompiledEnvironment | HostEnvironmentDefinition;

/** Whether members can train in it without leaving their device. */
export const isCompiled = (environment: RegisteredEnvironment): environment is CompiledEnvironment =>
  !("load" in environment);

const registered = new Map<string, RegisteredEnvironment>();
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
const toyText = [FrozenLake, FrozenLake8x8, CliffWalking, Taxi, Blackjack];
const minatar = [Breakout, Freeway, SpaceInvaders, Asterix, Seaquest];
const probes = probeEnvironments.map(({ environment }) => environment);
const all = [...classicControl, ...velocityMasked, ...box2d, ...toyText, ...minatar, ...probes];

for (const environment of all) registerEnvironment(environment);

/** Ids of the environments that are rlkit's own: Gymnasium and its relatives know them under no name or another. */
export const listOwnEnvironments = (): string[] =>
  [...velocityMasked, ...minatar, ...probes].map(({ id }) => id);

/** Ids of all environments, in order of registration. */
export const listEnvironments = (): string[] => [...registered.keys()];

/** @throws RangeError naming the nearest known id. */
export function findEnvironment(id: string): RegisteredEnvironment {
  const environment = registered.get(id);
  if (environment) return environment;
  const near = nearest(id, registered.keys());
  throw new RangeError(
    `environment: found "${id}"${near ? `; did you mean "${near}"?` : ""} Known are: ${listEnvironments().join(", ")}`,
  );
}

/** @throws RangeError as `findEnvironment`, and for an environment that the host steps. */
export function findCompiledEnvironment(id: string): CompiledEnvironment {
  const environment = findEnvironment(id);
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
