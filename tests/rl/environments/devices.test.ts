/** Environments on every device: the same steps from the same random numbers. */
// @apart: it registers what the library does not have.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerEnvironment } from "../../../src/agents/index.ts";
import type { Device } from "../../../src/kernels/index.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { comparedShaders } from "../../kernels/support/comparedShaders.ts";
import { devices } from "../../kernels/support/devices.ts";
import { type Seen, vectorPrograms, vectorRun } from "../inside/environments/vectorRuns.ts";
import { Race } from "./parallelRace.ts";

registerEnvironment(Race);

/** Environments whose outputs are all integers. */
const exact = [
  "FrozenLake-v1",
  "CliffWalking-v1",
  "CliffWalkingSlippery-v1",
  "Taxi-v4",
  "Blackjack-v1",
  "rlkit/BitFlip-v0",
  "rlkit/DiscountedReward-v0",
  "rlkit/Policy-image-v0",
  "rlkit/Policy-mixed-v0",
];

/** Environments in which devices may round differently. */
const close = [
  "MountainCarContinuous-v0",
  "rlkit/PointMaze-v0",
  "rlkit/CartPole-masked-v1",
  "rlkit/Policy-image-continuous-v0",
  Race.id,
];

describe("environments on every device", () => {
  const assertOnce = comparedShaders(import.meta.url);
  const opened: Device[] = [];
  beforeAll(async () => {
    for (const { create } of devices) opened.push(await create());
  });
  afterAll(() => {
    for (const device of opened) device.close();
  });

  /** Compares a run on each other device with that on the first. */
  const compare = (id: string, assertAlike: (expected: readonly Seen[], found: readonly Seen[]) => void) => {
    const env = findCompiledEnvironment(id);
    return assertOnce(id, vectorPrograms(env), async () => {
      const [expected, ...others] = await Promise.all(
        opened.map((device) => vectorRun(device, env, { lanes: 5, steps: 30, seed: 1 })),
      );
      expect(others.length).toBeGreaterThan(0);
      for (const found of others) assertAlike(expected as Seen[], found);
    });
  };

  it.each(exact)("%s is the same in every bit", (id) =>
    compare(id, (expected, found) => expect(found).toEqual(expected)),
  );

  it.each(close)("%s stays within rounding", (id) =>
    compare(id, (expected, found) => expect(farthest(expected, found)).toBeLessThan(1e-4)),
  );
});

/** Largest difference between two runs, relative beyond 1; NaN if their lengths differ. */
function farthest(expected: readonly Seen[], found: readonly Seen[]): number {
  const numbers = (seen: readonly Seen[]): number[] => seen.flatMap((step) => Object.values(step).flat());
  const [a, b] = [numbers(expected), numbers(found)];
  if (a.length !== b.length) return Number.NaN;
  return Math.max(...a.map((x, i) => Math.abs(x - (b[i] as number)) / Math.max(1, Math.abs(x))));
}
