/** Planar bodies on every device: the same steps from the same random numbers, within rounding. */
import { describe, expect, it } from "vitest";
import { type CompiledEnvironment, Hopper, planarTask } from "../../../../../src/rl/environments.ts";
import { comparedShaders } from "../../../../kernels/support/comparedShaders.ts";
import { devices } from "../../../../kernels/support/devices.ts";
import { vectorPrograms, vectorRun } from "../vectorRuns.ts";

const limb = [{ from: [0, 0], to: [0.3, -0.2], radius: 0.05 }] as const;
const trunk = { height: 0.25, capsules: [{ from: [-0.3, 0], to: [0.3, 0], radius: 0.05 }] } as const;

/** Every law in one small body: Euler's integrator, implicit damping, springs, limits, contacts. A software adapter compiles the cheetah for long. */
const Crab = planarTask({
  id: "test/Crab-v0",
  frame_skip: 2,
  normal_rates: true,
  reset_noise_scale: 0.2,
  body: {
    trunk,
    parts: [
      {
        name: "left",
        at: [-0.3, 0],
        axis: -1,
        gear: 20,
        damping: 1,
        stiffness: 4,
        range: [-0.1, 0.1],
        capsules: limb,
      },
      { name: "right", at: [0.3, 0], gear: 20, armature: 0.1, range: [-0.1, 0.1], capsules: limb },
    ],
  },
});

describe("planar bodies on every device", () => {
  const assertOnce = comparedShaders(import.meta.url);

  const compare = async (env: CompiledEnvironment) => {
    const runs: number[][] = [];
    for (const { create } of devices) {
      const device = await create();
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
  };

  it.each([Crab, Hopper])("$id moves alike", (env) =>
    assertOnce(env.id, vectorPrograms(env), () => compare(env)),
  );
});
