import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packRows } from "../../../../src/agents/members.ts";
import { type Device, state, trace } from "../../../../src/kernels/index.ts";
import { findEnvironment } from "../../../../src/rl/environments.ts";
import { append } from "../../../../src/rl/programs/replay.ts";
import { takeTransitions } from "../../../../src/rl/programs/transitions.ts";
import { observationField } from "../../../../src/rl/programs.ts";
import { Box, Dict, Discrete, MultiBinary } from "../../../../src/rl/spaces.ts";
import { emptyReplay } from "../../../../src/training/plan.ts";
import { devices } from "../../../kernels/support/devices.ts";

const LANES = 2;
const CAPACITY = 6;
const picture = new Box({ low: 0, high: 255, shape: [3, 3, 2], dtype: "uint8" });
const action_space = new Discrete(4);

/** Numbers 0 .. 255 that are unique to a step and lane. */
const image = (n: number): number[] => Array.from({ length: 18 }, (_, i) => (n * 53 + i * 17) % 256);
/** Numbers that f32 can represent but a byte cannot. */
const gauges = (n: number): number[] => [n + 0.25, -(n + 1) * 2 ** 20];

const MEMORIES = [
  { of: "images", observation_space: picture, words: 5, row: image },
  {
    of: "images, flags and fractions",
    observation_space: new Dict({
      gauges: new Box({ low: -1e9, high: 1e9, shape: [2] }),
      picture,
      level: new Box({ low: -1, high: 1, shape: [1] }),
      flags: new MultiBinary(3),
      heat: new Box({ low: 0, high: 1e-3, shape: [1] }),
    }),
    // 21 bytes, then 4 numbers.
    words: 6 + 4,
    row: (n: number) =>
      [...gauges(n), ...image(n), -n / 64, n % 2, 1, 0, (n + 1) * 2 ** -30].map(Math.fround),
  },
];

const cases = devices.flatMap((device) => MEMORIES.map((memory) => ({ ...device, ...memory })));

describe.each(cases)("a replay memory of $of on $name", ({ create, observation_space, words, row }) => {
  const layout = { observation_space, action_space };
  const { shape } = observation_space;
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());

  it("keeps what fits as the bytes of words, and gives back the numbers", async () => {
    const program = trace("images", () => {
      const numbers = (name: string, size: readonly number[] = []) =>
        state(`in.${name}`, [LANES, ...size]).read();
      append(
        layout,
        {
          obs: numbers("obs", shape),
          next_obs: numbers("next_obs", shape),
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
      state("out.obs", [3, ...shape]).write(batch.obs);
      state("out.next_obs", [3, ...shape]).write(batch.next_obs);
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
      arena.write("in.obs", [...row(first), ...row(first + 1)]);
      arena.write("in.next_obs", [...row(first + 2), ...row(first + 3)]);
      await bound.run();
    }
    const kept = await arena.read("replay.obs");
    expect(kept.length).toBe(CAPACITY * words);
    expect(kept).toEqual(packRows([0, 1, 10, 11, 20, 21].flatMap(row), observationField(observation_space)));
    expect([...(await arena.read("out.obs"))]).toEqual([0, 11, 20].flatMap(row));
    // Row 0 continues in row 2. Nothing newer than rows 3 and 4 is visible.
    expect([...(await arena.read("out.next_obs"))]).toEqual([12, 13, 22].flatMap(row));
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
    // With four bytes per number, two images and four numbers would need 3.9 times as many bytes.
    expect((8 * pixels + 16) / bytes).toBeGreaterThan(3.9);
  });
});
