import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/device.ts";
import { state, trace } from "../../../src/kernels/index.ts";
import { findEnvironment } from "../../../src/rl/environments/index.ts";
import { append, takeTransitions } from "../../../src/rl/programs/replay.ts";
import { packRows } from "../../../src/rl/runtime/replayRows.ts";
import { Box, Discrete } from "../../../src/rl/spaces/index.ts";
import { emptyReplay } from "../../../src/training/run/buildRun.ts";
import { devices } from "../../kernels/support/devices.ts";

const SHAPE = [3, 3, 2] as const;
const PIXELS = 18;
const LANES = 2;
const CAPACITY = 6;
const layout = {
  observation_space: new Box({ low: 0, high: 255, shape: SHAPE, dtype: "uint8" }),
  action_space: new Discrete(4),
};

/** An image that no other step or lane has. */
const image = (n: number): number[] => Array.from({ length: PIXELS }, (_, i) => (n * 53 + i * 17) % 256);

describe.each(devices)("a replay memory of images on $name", ({ create }) => {
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());

  it("keeps them as the bytes of words, and gives back the numbers", async () => {
    const program = trace("images", () => {
      const numbers = (name: string, shape: readonly number[] = []) =>
        state(`in.${name}`, [LANES, ...shape]).read();
      append(
        layout,
        {
          obs: numbers("obs", SHAPE),
          next_obs: numbers("next_obs", SHAPE),
          action: state("in.action", [LANES], { dtype: "i32" }).read(),
          reward: numbers("reward"),
          done: numbers("done"),
          ended: numbers("ended"),
        },
        LANES,
      );
      const integers = (name: string) => state(name, [3], { dtype: "i32" }).read();
      const drawn = { index: integers("index"), owner: integers("owner"), following: integers("following") };
      const batch = takeTransitions(layout, drawn, { n_step: 2, prioritized: false });
      state("out.obs", [3, ...SHAPE]).write(batch.obs);
      state("out.next_obs", [3, ...SHAPE]).write(batch.next_obs);
    });
    const binding = { num_envs: LANES, capacity: CAPACITY, population: 1, batch: 3 };
    const arena = device.arena(program.states.values(), binding);
    const bound = (await device.compile(program)).bind(arena);
    arena.write("ring.segment", [CAPACITY]);
    arena.write("hp.gamma", [0.9]);
    arena.write("index", [0, 3, 4]);
    arena.write("following", [4, 1, 1]);
    for (const step of [0, 1, 2]) {
      const first = 10 * step;
      arena.write("in.obs", [...image(first), ...image(first + 1)]);
      arena.write("in.next_obs", [...image(first + 2), ...image(first + 3)]);
      await bound.run();
    }
    expect(await arena.read("replay.obs")).toEqual(packRows([0, 1, 10, 11, 20, 21].flatMap(image), PIXELS));
    expect([...(await arena.read("out.obs"))]).toEqual([0, 11, 20].flatMap(image));
    // Row 0 goes on to row 2; nothing newer than rows 3 and 4 is seen.
    expect([...(await arena.read("out.next_obs"))]).toEqual([12, 13, 22].flatMap(image));
    bound.release();
    arena.release();
  });
});

describe("a replay memory of MinAtar", () => {
  it.each([
    ["MinAtar/Breakout-v1", 400, 816],
    ["MinAtar/Freeway-v1", 700, 1416],
    ["MinAtar/SpaceInvaders-v1", 600, 1216],
  ])("of %s, pictures of %i numbers, takes %i bytes a transition", (name, pixels, bytes) => {
    const env = findEnvironment(name);
    const rows = emptyReplay(env, 1, 10).segments[0];
    const total = Object.values(rows ?? {}).reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(total / 10).toBe(bytes);
    expect(env.observation_space.shape.reduce((a, b) => a * b, 1)).toBe(pixels);
    // As numbers of four bytes, two pictures and four numbers would be 3.9 times as many.
    expect((8 * pixels + 16) / bytes).toBeGreaterThan(3.9);
  });
});
