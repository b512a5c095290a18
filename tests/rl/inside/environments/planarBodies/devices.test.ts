/** Planar bodies on every device: the same steps from the same random numbers, within rounding. */
import { describe, expect, it } from "vitest";
import { findCompiledEnvironment } from "../../../../../src/rl/environments.ts";
import { devices } from "../../../../kernels/support/devices.ts";
import { vectorRun } from "../vectorRuns.ts";

/** One body of each integrator. */
const BODIES = [
  ["rlkit/Hopper-v0", {}],
  ["rlkit/HalfCheetah-v0", { frame_skip: 1 }],
] as const;

describe("planar bodies on every device", () => {
  it.each(BODIES)("%s moves alike", async (id, options) => {
    const runs: number[][] = [];
    for (const { create } of devices) {
      const device = await create();
      const env = findCompiledEnvironment(id, options);
      const seen = await vectorRun(device, env, { lanes: 2, steps: 3, seed: 2 });
      runs.push(seen.flatMap((step) => Object.values(step).flat()));
      device.close();
    }
    const [first = [], ...others] = runs;
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) {
      expect(other).toHaveLength(first.length);
      const far = first.map((x, i) => Math.abs(x - (other[i] as number)) / (1 + Math.abs(x)));
      expect(Math.max(...far)).toBeLessThan(1e-4);
    }
  });
});
