import { describe, expect, it } from "vitest";
import { Random } from "../../../src/evolution/random.ts";
import { contour, slice } from "../../../src/ui/pages/run/insight/fanova.ts";
import { forest, type Rows } from "../../../src/ui/pages/run/insight/forest.ts";
import { importanceRows, valueOn } from "../../../src/ui/pages/run/insight/importanceRows.ts";
import { sharesOf } from "../../../src/ui/pages/run/insight/shares.ts";

const INPUTS = 3;

/** Rows of a function of three inputs, which are even between 0 and 1. */
function rowsOf(f: (x: number, y: number, z: number) => number, count = 2000, seed = 5): Rows {
  const random = new Random({ seed });
  const inputs = Array.from({ length: INPUTS }, () =>
    Float64Array.from({ length: count }, () => random.uniform()),
  );
  const at = (input: number, row: number): number => inputs[input]?.[row] ?? Number.NaN;
  return {
    inputs,
    outputs: Float64Array.from({ length: count }, (_, row) => f(at(0, row), at(1, row), at(2, row))),
  };
}

describe("trees of a forest", () => {
  it("cover all inputs once, and predict means", () => {
    for (const leaves of forest(
      rowsOf((x) => x),
      1,
    )) {
      const volume = leaves.reduce(
        (sum, { low, high }) => sum + high.reduce((v, h, i) => v * (h - (low[i] ?? 0)), 1),
        0,
      );
      expect(volume).toBeCloseTo(1, 9);
      for (const { value } of leaves) expect(value).toBeGreaterThanOrEqual(0);
    }
  });

  it("are the same for the same seed", () => {
    const rows = rowsOf((x, y) => x * y, 200);
    expect(forest(rows, 3)).toEqual(forest(rows, 3));
  });
});

describe("shares of variance", () => {
  /** Ishigami's function with a = 7 and b = 0.1, whose shares are known (Sobol and Levitan 1999). */
  const ishigami = (...at: readonly [number, number, number]): number => {
    const [x, y, z] = at.map((value) => Math.PI * (2 * value - 1)) as [number, number, number];
    return Math.sin(x) + 7 * Math.sin(y) ** 2 + 0.1 * z ** 4 * Math.sin(x);
  };
  const noise = new Random({ seed: 8 });

  it.each([
    ["Ishigami's function", ishigami, [0.3139, 0.4424, 0]],
    // Variances of 3x and y are 9/12 and 1/12.
    ["a sum", (x: number, y: number) => 3 * x + y, [0.9, 0.1, 0]],
    ["a sum with as much noise", (x: number) => 3 * x + Math.sqrt(0.75) * noise.normal(), [0.5, 0, 0]],
    ["a step, of two values", (x: number, y: number) => 2 * Number(x < 0.5) + y, [12 / 13, 1 / 13, 0]],
    [
      "what two inputs have only together",
      (x: number, y: number) => Number(x < 0.5) ^ Number(y < 0.5),
      [0, 0, 0],
    ],
    ["noise", () => noise.normal(), [0, 0, 0]],
  ])("of %s are within their intervals, which become narrow", (_, f, expected) => {
    for (const [count, least] of [
      [40, 0.8],
      [400, 0.88],
    ] as const) {
      const runs = 60;
      const found = Array.from({ length: runs }, (_run, seed) => sharesOf(rowsOf(f, count, seed)));
      for (const [input, truth] of expected.entries()) {
        const intervals = found.map((shares) => shares[input]?.interval ?? [1, 0]);
        const within = intervals.filter(([low, high]) => low <= truth && truth <= high).length;
        expect(within / runs).toBeGreaterThanOrEqual(least);
        const width = intervals.reduce((sum, [low, high]) => sum + (high - low) / runs, 0);
        expect(width).toBeLessThan(6 / Math.sqrt(count));
      }
    }
  });

  it("do not depend on the order of the rows where inputs are equal", () => {
    const group = Float64Array.from({ length: 200 }, (_, row) => row % 2);
    const rows = { inputs: [group], outputs: group.map((value, row) => value + Math.floor(row / 100)) };
    const [found] = sharesOf(rows);
    // Half of the variance is between the two values.
    expect(Math.abs((found?.share ?? 0) - 0.5)).toBeLessThan(0.15);
  });

  it("are unknown where the output never changes", () => {
    expect(sharesOf(rowsOf(() => 7, 50))).toEqual(Array(INPUTS).fill({ share: 0, interval: null }));
  });
});

describe("slices and contours", () => {
  const trees = forest(
    rowsOf((x, y) => (x - 0.25) ** 2 + y),
    1,
  );

  it("follow one input, with the others' mean", () => {
    const { at, mean, deviation } = slice(trees, 0, 20);
    expect(at.length).toBe(20);
    const error = mean.map((value, i) => Math.abs(value - ((at[i] ?? 0) - 0.25) ** 2 - 0.5));
    expect(Math.max(...error)).toBeLessThan(0.08);
    expect(Math.max(...deviation)).toBeLessThan(0.1);
    expect(mean.indexOf(Math.min(...mean))).toBeLessThan(10);
  });

  it("follow two inputs on a grid", () => {
    const grid = contour(trees, [0, 1], 10);
    for (const [cell, value] of grid.entries()) {
      const [x, y] = [((cell % 10) + 0.5) / 10, (Math.floor(cell / 10) + 0.5) / 10];
      expect(Math.abs(value - (x - 0.25) ** 2 - y)).toBeLessThan(0.2);
    }
  });
});

describe("rows of a run", () => {
  const tuned = [
    { name: "lr", range: null, log: true },
    { name: "fixed", range: null, log: false },
  ];

  it("rank members in their generations, on the scale of each hyperparameter that differs", () => {
    const columns = {
      population: 2,
      fitness: Float64Array.of(1, 5, 7, 7, Number.NaN, 3),
      hyperparameters: {
        lr: Float64Array.of(1e-4, 1e-2, 1e-3, 1e-2, 1e-3, 1e-3),
        fixed: new Float64Array(6).fill(4),
      },
    };
    const rows = importanceRows(columns, 2, tuned);
    expect(rows?.names.map(({ name }) => name)).toEqual(["lr"]);
    // A rate of 0.01 came first once, and shared the first place once.
    expect(rows?.outputs).toEqual(Float64Array.of(0, 0.75, 0.5));
    const positions = Array.from(rows?.inputs[0] ?? [], (value) => Number(value.toFixed(6)));
    expect(positions).toEqual([0, 1, 0.5]);
    const [lr] = rows?.names ?? [];
    expect(lr && valueOn(lr, 0.5)).toBeCloseTo(1e-3, 9);
  });

  it("are none where nothing differs, or nobody has a rival", () => {
    const same = { lr: Float64Array.of(1e-3, 1e-3) };
    expect(
      importanceRows({ population: 2, fitness: Float64Array.of(1, 2), hyperparameters: same }, 0, tuned),
    ).toBeNull();
    const other = { lr: Float64Array.of(1e-3, 1e-2) };
    expect(
      importanceRows({ population: 1, fitness: Float64Array.of(1, 2), hyperparameters: other }, 1, tuned),
    ).toBeNull();
  });
});
