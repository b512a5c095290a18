import { describe, expect, it } from "vitest";
import { Random } from "../../../src/evolution/random.ts";
import { contour, importances, slice } from "../../../src/ui/pages/run/insight/fanova.ts";
import { forest, type Rows } from "../../../src/ui/pages/run/insight/forest.ts";
import { importanceRows, valueOn } from "../../../src/ui/pages/run/insight/importanceRows.ts";

const INPUTS = 3;

/** Rows of a function of three inputs, which are even between 0 and 1. */
function rowsOf(f: (x: number, y: number, z: number) => number, count = 2000): Rows {
  const random = new Random({ seed: 5 });
  const inputs = Array.from({ length: INPUTS }, () =>
    Float64Array.from({ length: count }, () => random.uniform()),
  );
  const at = (input: number, row: number): number => inputs[input]?.[row] ?? Number.NaN;
  return {
    inputs,
    outputs: Float64Array.from({ length: count }, (_, row) => f(at(0, row), at(1, row), at(2, row))),
  };
}

const sharesOf = (rows: Rows): number[] => importances(forest(rows, 1), INPUTS).map(({ mean }) => mean);

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

describe("importances", () => {
  it("are the shares of variance of a sum's parts", () => {
    // Variances of 3x and y are 9/12 and 1/12.
    const [x = 0, y = 0, z = 0] = sharesOf(rowsOf((a, b) => 3 * a + b));
    expect(x).toBeGreaterThan(0.85);
    expect(x).toBeLessThan(0.95);
    expect(y).toBeGreaterThan(0.06);
    expect(y).toBeLessThan(0.14);
    expect(z).toBeLessThan(0.01);
  });

  it("leave what two inputs have only together to neither of them", () => {
    const [x = 0, y = 0, z = 0] = sharesOf(rowsOf((a, b) => Number(a < 0.5) ^ Number(b < 0.5)));
    for (const share of [x, y, z]) expect(share).toBeLessThan(0.1);
  });

  it("are all 0 where the output never changes, or without rows to cut", () => {
    expect(sharesOf(rowsOf(() => 7))).toEqual([0, 0, 0]);
    expect(sharesOf(rowsOf((a) => a, 2))).toEqual([0, 0, 0]);
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
    expect(rows?.outputs).toEqual(Float64Array.of(0, 1, 0.5, 0.5));
    const positions = Array.from(rows?.inputs[0] ?? [], (value) => Number(value.toFixed(6)));
    expect(positions).toEqual([0, 1, 0.5, 1]);
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
