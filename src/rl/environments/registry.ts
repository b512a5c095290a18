/** Compiled environments by id. */
import { nearest } from "../../specs/nearest.ts";
import { Acrobot } from "./Acrobot.ts";
import { CartPole } from "./CartPole.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import { MountainCar } from "./MountainCar.ts";
import { Breakout } from "./minatar/Breakout.ts";
import { Freeway } from "./minatar/Freeway.ts";
import { SpaceInvaders } from "./minatar/SpaceInvaders.ts";
import { Pendulum } from "./Pendulum.ts";

const registered = new Map<string, CompiledEnvironment>();

/** Makes an environment known under its id.
 * @throws Error when the id is taken by another one. */
export function registerEnvironment(environment: CompiledEnvironment): void {
  const { id } = environment;
  const known = registered.get(id);
  if (known && known !== environment)
    throw new Error(`environment "${id}" is registered already; give the new one another id or version`);
  registered.set(id, environment);
}

for (const environment of [CartPole, Acrobot, MountainCar, Pendulum, Breakout, Freeway, SpaceInvaders])
  registerEnvironment(environment);

/** Ids of all environments, in order of registration. */
export const listEnvironments = (): string[] => [...registered.keys()];

/** @throws RangeError naming the nearest known id. */
export function findEnvironment(id: string): CompiledEnvironment {
  const environment = registered.get(id);
  if (environment) return environment;
  const near = nearest(id, registered.keys());
  throw new RangeError(
    `environment: found "${id}"${near ? `; did you mean "${near}"?` : ""} Known are: ${listEnvironments().join(", ")}`,
  );
}
