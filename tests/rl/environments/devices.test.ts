/** Environments on every device: the same steps from the same random numbers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/device.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments/index.ts";
import { devices } from "../../kernels/support/devices.ts";
import { vectorRun } from "./vectorRuns.ts";

/** All that is seen of these are whole numbers. */
const exact = [
  "FrozenLake-v1",
  "CliffWalking-v1",
  "Taxi-v3",
  "Blackjack-v1",
  "rlkit/DiscountedReward-v0",
  "rlkit/Policy-image-v0",
  "rlkit/Policy-mixed-v0",
];

describe("environments on every device", () => {
  const opened: Device[] = [];
  beforeAll(async () => {
    for (const { create } of devices) opened.push(await create());
  });
  afterAll(() => {
    for (const device of opened) device.close();
  });

  it.each(exact)("%s is the same in every bit", async (id) => {
    const [first, ...others] = opened;
    const run = (device: Device) =>
      vectorRun(device, findCompiledEnvironment(id), { lanes: 5, steps: 30, seed: 1 });
    const expected = await run(first as Device);
    expect(others.length).toBeGreaterThan(0);
    for (const device of others) expect(await run(device)).toEqual(expected);
  });
});
