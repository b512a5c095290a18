/** Compiled environments by id. */
import { nearest } from "../../specs/nearest.ts";
import { Acrobot } from "./Acrobot.ts";
import { CartPole } from "./CartPole.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import { MountainCar } from "./MountainCar.ts";
import { MountainCarContinuous } from "./MountainCarContinuous.ts";
import { Pendulum } from "./Pendulum.ts";
import { probeEnvironments } from "./probes/index.ts";
import { Blackjack } from "./toyText/Blackjack.ts";
import { CliffWalking } from "./toyText/CliffWalking.ts";
import { FrozenLake, FrozenLake8x8 } from "./toyText/FrozenLake.ts";
import { Taxi } from "./toyText/Taxi.ts";
import { AcrobotMasked, CartPoleMasked, MountainCarMasked, PendulumMasked } from "./velocityMasked.ts";

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

const classicControl = [CartPole, Acrobot, MountainCar, MountainCarContinuous, Pendulum];
const velocityMasked = [CartPoleMasked, AcrobotMasked, MountainCarMasked, PendulumMasked];
const toyText = [FrozenLake, FrozenLake8x8, CliffWalking, Taxi, Blackjack];
const probes = probeEnvironments.map(({ environment }) => environment);

for (const environment of [...classicControl, ...velocityMasked, ...toyText, ...probes])
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
