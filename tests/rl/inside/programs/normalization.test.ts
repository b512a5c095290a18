/** Running statistics against the formulas over all rows in f64, and what is scaled by them. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Device, type Program, state, sym, trace } from "../../../../src/kernels/index.ts";
import {
  learnObservations,
  learnReturns,
  learnRolloutObservations,
  learntRewards,
  normalized,
} from "../../../../src/rl/programs/normalization.ts";
import { observationField } from "../../../../src/rl/programs/replayFields.ts";
import { packed } from "../../../../src/rl/programs/rowLayout.ts";
import { Agents, Box, Dict, Discrete, type Space, Tuple } from "../../../../src/rl/spaces.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { type Buffers, runOnDevice } from "../../../kernels/support/run.ts";
import { NORMALIZED } from "../../support/agents.ts";

const box = (size: number) => new Box({ low: -1, high: 1, shape: [size] });

/** Mean and variance of a column, as numpy's `mean` and `var`. */
function moments(values: readonly number[]) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return { mean, variance: values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / values.length };
}

const columnsOf = (rows: readonly (readonly number[])[]) =>
  (rows[0] ?? []).map((_, i) => rows.map((row) => row[i] as number));

const close = (found: readonly number[] | undefined, expected: readonly number[], within = 1e-4) => {
  expect(found).toHaveLength(expected.length);
  expected.forEach((x, i) => {
    expect(Math.abs((found?.[i] as number) - x)).toBeLessThanOrEqual(within * (1 + Math.abs(x)));
  });
};

/** Rows of the same scale and another mean in each column. */
const rowsOf = (columns: number, scales: readonly number[]) =>
  fc.array(
    fc.tuple(
      ...Array.from({ length: columns }, (_, i) =>
        fc.integer({ min: -1000, max: 1000 }).map((x) => Math.fround((x / 1000 + i) * (scales[i] ?? 1))),
      ),
    ),
    { minLength: 2, maxLength: 24 },
  );

const observing = (space: Space, n: number): Program =>
  trace("observe", () => {
    const obs = state("rows", [n, ...space.shape]).read();
    const present = space.kind === "Agents" ? state("present", [n, space.ids.length]).read() : undefined;
    learnObservations(
      NORMALIZED,
      space,
      observationField(space),
      packed(observationField(space), obs),
      present,
    );
  });

const [STEPS, LANES] = [sym("steps"), 4];
/** One number a row, [rows]: of a roll-out's observations, and as rewards of one step of four lanes after another. */
const learning = {
  observations: trace("roll-out", () => {
    const obs = state("rows", [sym("rows"), 1]).read();
    learnRolloutObservations(NORMALIZED, box(1), observationField(box(1)), obs);
  }),
  rewards: trace("steps", () => {
    const reward = state("rows", [STEPS, LANES]).read();
    learnReturns(NORMALIZED, { reward, done: state("done", [STEPS, LANES]).read() });
  }),
};

/** The statistics after each list of rows was learnt from; a list has a multiple of four. */
async function learnt(device: Device, of: keyof typeof learning, lists: readonly (readonly number[])[]) {
  let kept: Buffers = {};
  for (const rows of lists) {
    const binding = { rows: rows.length, steps: rows.length / LANES };
    const initial = { ...kept, rows, "hp.gamma": [0] };
    kept = only(await runOnDevice(device, learning[of], binding, initial));
  }
  const part = (name: string) => kept[`normalize.${of}.${name}`]?.[0] as number;
  return {
    count: part("count"),
    mean: part("mean"),
    variance: part("variance"),
    outliers: part("outliers"),
  };
}

/** Numbers of mean 0 and deviation 1: symmetric, skewed (as most small changes of a mean are negative), or drifting. */
const SHAPES = {
  wave: (i: number) => Math.SQRT2 * Math.sin(12.9898 * i * i),
  skewed: (i: number) => -Math.log(((0.61803398875 * i) % 1) + 1e-9) - 1,
  drifting: (i: number, n: number) => Math.sin(78.233 * i * i) + (10 * i) / n,
};

const only = (buffers: Buffers): Buffers =>
  Object.fromEntries(Object.entries(buffers).filter(([name]) => name.startsWith("normalize.")));

describe.each(devices)("running statistics on $name", ({ create, share }) => {
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());

  it("are those of all rows, however the rows are cut into roll-outs", async () => {
    const space = box(3);
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowsOf(3, [1, 1000, 1e-3]), { minLength: 1, maxLength: 3 }),
        async (parts) => {
          let kept: Buffers = {};
          for (const rows of parts)
            kept = only(
              await runOnDevice(device, observing(space, rows.length), {}, { ...kept, rows: rows.flat() }),
            );
          const expected = columnsOf(parts.flat()).map(moments);
          expect(kept["normalize.observations.count"]).toEqual(Array(3).fill(parts.flat().length));
          close(
            kept["normalize.observations.mean"],
            expected.map(({ mean }) => mean),
          );
          kept["normalize.observations.variance"]?.forEach((found, i) => {
            const { mean, variance } = expected[i] as { mean: number; variance: number };
            // f32 loses the square of the mean's last digit.
            expect(Math.abs(found - variance)).toBeLessThanOrEqual(1e-4 * variance + 1e-6 * mean * mean);
          });
        },
      ),
      { numRuns: share < 1 ? 2 : 12 },
    );
  });

  it.each(["observations", "rewards"] as const)("lose no digits to an offset: %s", async (of) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(SHAPES)),
        fc.double({ min: 0, max: 14, noNaN: true }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 3 }),
        async (shape, size, offset, scale, parts) => {
          const n = LANES * Math.round(2 ** (share < 1 ? size / 2 : size));
          const rows = Array.from({ length: n }, (_, i) =>
            Math.fround(10 ** scale * (10 ** offset + shape(i, n))),
          );
          const cuts = Array.from({ length: parts }, (_, i) => LANES * Math.floor((i * n) / parts / LANES));
          const lists = cuts
            .map((from, i) => rows.slice(from, cuts[i + 1]))
            .filter((list) => list.length > 0);
          const { mean, variance } = moments(rows);
          const found = await learnt(device, of, lists);
          expect(found).toMatchObject({ count: n, outliers: 0 });
          // A mean has 24 bits, and so do the numbers.
          expect(Math.abs(found.mean - mean)).toBeLessThanOrEqual(2e-4 * Math.sqrt(variance) + 1.2e-7 * mean);
          expect(Math.abs(found.variance / variance - 1)).toBeLessThanOrEqual(1e-3);
        },
      ),
      { numRuns: share < 1 ? 4 : 40 },
    );
  });

  it.each(["observations", "rewards"] as const)("take one outlier for what it is: %s", async (of) => {
    const n = 400;
    const rows = Array.from({ length: n }, (_, i) => Math.fround(5 + SHAPES.wave(i)));
    for (const [outlier, at] of [
      [1e20, 0],
      [-3e38, 170],
      [1e9, 170],
    ] as const) {
      const found = await learnt(device, of, [rows.with(at, outlier)]);
      const others = moments(rows.toSpliced(at, 1));
      expect(found.outliers).toBe(1);
      // What measures nothing is left out; another number is let in as far as about a hundred deviations.
      const most = Math.abs(outlier) > 1e12 ? 0.01 : 110;
      expect(Math.abs(found.mean - others.mean)).toBeLessThan(most / n);
      expect(Math.abs(found.variance - others.variance)).toBeLessThan(Math.max(1e-5, (most * most) / n));
    }
    expect((await learnt(device, of, [rows.with(9, Number.POSITIVE_INFINITY)])).variance).toBeNaN();
  });

  it("are kept of the float columns of a Dict and a Tuple, not of choices, bytes and images", async () => {
    const parts = {
      view: new Box({ low: 0, high: 255, shape: [2, 2, 3], dtype: "uint8" }),
      near: box(2),
      door: new Discrete(3),
      far: box(1),
    };
    for (const space of [new Dict(parts), new Tuple(Object.values(parts))]) {
      const view = Array(12).fill(200);
      const rows = [
        [...view, 1, 10, 2, 5],
        [...view, 3, 30, 0, 9],
      ];
      const kept = await runOnDevice(device, observing(space, 2), {}, { rows: rows.flat() });
      expect(kept["normalize.observations.mean"]).toEqual([2, 20, 7]);
      expect(kept["normalize.observations.variance"]).toEqual([1, 100, 4]);
      const program = trace("normalize", () => {
        const obs = normalized(NORMALIZED, space, state("rows", [2, ...space.shape]).read());
        state("result", obs.shape).write(obs);
      });
      const { result } = await runOnDevice(device, program, {}, { ...only(kept), rows: rows.flat() });
      close(result, [...view, -1, -1, 2, -1, ...view, 1, 1, 0, 1]);
    }
  });

  it("count an agent of a team only where it took part", async () => {
    const space = new Agents({ a_0: box(2), a_1: box(1) });
    const kept = await runOnDevice(
      device,
      observing(space, 3),
      {},
      {
        rows: [1, 2, 3, 3, 4, 5, 0, 0, 7],
        present: [1, 1, 1, 1, 0, 1],
      },
    );
    expect(kept["normalize.observations.count"]).toEqual([2, 2, 3]);
    close(kept["normalize.observations.mean"], [2, 3, 5]);
    close(kept["normalize.observations.variance"], [1, 1, 8 / 3]);
  });

  it("scale rewards by the deviation of the discounted return, which starts anew with each episode", async () => {
    const spaces = { observation_space: box(1), action_space: new Discrete(2) };
    const [steps, lanes, gamma] = [5, 2, 0.5];
    const program = trace("returns", () => {
      const reward = state("reward", [steps, lanes]).read();
      learnReturns(NORMALIZED, { reward, done: state("done", [steps, lanes]).read() });
      state("result", [steps, lanes]).write(learntRewards({ normalization: NORMALIZED }, spaces, reward));
    });
    const reward = [1, 2, 3, -1, 0, 5, 2, 2, 1, -4];
    const done = [0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
    const once = { reward, done, "hp.gamma": [gamma] };
    const found = await runOnDevice(device, program, {}, once, { times: 2 });
    const returns: number[] = [];
    const running = [0, 0];
    for (let i = 0; i < 2 * reward.length; i++) {
      const [at, lane] = [i % reward.length, i % lanes];
      const now = (running[lane] as number) * gamma + (reward[at] as number);
      returns.push(now);
      running[lane] = done[at] ? 0 : now;
    }
    const { mean, variance } = moments(returns);
    close(found["normalize.rewards.mean"], [mean]);
    close(found["normalize.rewards.variance"], [variance]);
    close(
      found.result,
      reward.map((r) => r / Math.sqrt(variance + 1e-8)),
    );
  });
});

describe("observations and rewards before the first roll-out", () => {
  it("are only cut to the limits", async () => {
    const device = await (devices[0] as (typeof devices)[number]).create();
    const spaces = { observation_space: box(3), action_space: new Discrete(2) };
    const settings = { ...NORMALIZED, reward_scale: 2, reward_clip: [-3, 1] as const };
    const program = trace("plain", () => {
      const obs = normalized(settings, spaces.observation_space, state("obs", [1, 3]).read());
      state("seen", [1, 3]).write(obs);
      const learnt = learntRewards({ normalization: settings }, spaces, state("reward", [3]).read());
      state("learnt", [3]).write(learnt);
    });
    const found = await runOnDevice(device, program, {}, { obs: [0.5, -7, 400], reward: [0.25, 4, -4] });
    expect(found.seen).toEqual([0.5, -7, 10]);
    expect(found.learnt).toEqual([0.5, 1, -3]);
    device.close();
  });
});
