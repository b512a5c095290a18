import type { Interval } from "../../tracking/history.ts";
import { flatConfig } from "./manifestValues.ts";

const SCORES: Interval = [0, Number.POSITIVE_INFINITY];

/** The lowest and the highest possible return of an episode with the default options, from rewards and time limits. */
const RANGES: Readonly<Record<string, Interval>> = {
  "CartPole-v1": [0, 500],
  "rlkit/CartPole-masked-v1": [0, 500],
  "Acrobot-v1": [-500, 0],
  "rlkit/Acrobot-masked-v1": [-500, 0],
  "MountainCar-v0": [-200, 0],
  "rlkit/MountainCar-masked-v0": [-200, 0],
  // 0.1 for a full action in each of 999 steps, and 100 at the goal.
  "MountainCarContinuous-v0": [-99.9, 100],
  // At most pi^2 + 0.1 * 8^2 + 0.001 * 2^2 in each of 200 steps.
  "Pendulum-v1": [-3254.8, 0],
  "rlkit/Pendulum-masked-v1": [-3254.8, 0],
  "InvertedPendulum-v5": [0, 1000],
  "FrozenLake-v1": [0, 1],
  "FrozenLake8x8-v1": [0, 1],
  "CliffWalking-v1": [-50_000, 0],
  "CliffWalkingSlippery-v1": [-50_000, 0],
  "Taxi-v3": [-2000, 20],
  "Taxi-v4": [-2000, 20],
  "Blackjack-v1": [-1, 1],
  "MinAtar/Breakout-v1": SCORES,
  "MinAtar/Freeway-v1": SCORES,
  "MinAtar/SpaceInvaders-v1": SCORES,
  "MinAtar/Asterix-v1": SCORES,
  "MinAtar/Seaquest-v1": SCORES,
};

/** Fields of a manifest that change rewards or time limits. */
const CHANGES = ["env_config", "env_wrappers", "entrypoint", "factory", "path"];

/** The possible returns in a manifest's environment; undefined if they are unknown, or options may change them. */
export function returnRange(manifest: unknown): Interval | undefined {
  const config = flatConfig(manifest);
  const isChanged = [...config.keys()].some((name) =>
    CHANGES.some((field) => `${name}.`.startsWith(`environment.${field}.`)),
  );
  return isChanged ? undefined : RANGES[String(config.get("environment.name"))];
}

/** Environments whose returns have a known range. */
export const RANGED_ENVIRONMENTS: readonly string[] = Object.keys(RANGES);
