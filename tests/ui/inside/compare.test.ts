import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  configRows,
  environmentWords,
  MOST_POINTS,
  measuresOf,
  overlay,
  picked,
} from "../../../src/ui/pages/compare/comparison.ts";
import { positionsOf } from "../../../src/ui/series/historyCells.ts";
import { historyOf } from "../support/histories.ts";
import { generationReport } from "../support/reports.ts";

const columns = historyOf([
  generationReport(1, [1, 5, 3]),
  generationReport(2, [2, Number.NaN, 4]),
  generationReport(3, [9, 6, 1]),
]);

describe("measures", () => {
  const values = (name: string) =>
    measuresOf([columns])
      .find((measure) => measure.name === name)
      ?.of(columns);

  it("are the fitness and every metric of any run", () => {
    expect(measuresOf([columns]).map(({ name }) => name)).toEqual([
      "best fitness so far",
      "best fitness",
      "median fitness",
      "loss",
    ]);
    expect(values("best fitness so far")).toEqual(Float64Array.of(5, 5, 9));
    expect(values("best fitness")).toEqual(Float64Array.of(5, 4, 9));
    expect(values("median fitness")).toEqual(Float64Array.of(3, 3, 6));
  });

  it("have nothing for a run that does not tell them", () => {
    const other = historyOf([generationReport(1, [1])]);
    const loss = measuresOf([columns]).find(({ name }) => name === "loss");
    expect(loss?.of({ ...other, metrics: {} })).toEqual(Float64Array.of(Number.NaN));
  });

  it("are told by their last, highest or lowest number", () => {
    const numbers = Float64Array.of(3, 8, 2, Number.NaN);
    expect((["last", "best", "min"] as const).map((pick) => picked(numbers, pick))).toEqual([2, 8, 2]);
    expect(picked(Float64Array.of(Number.NaN), "last")).toBeNaN();
    expect(picked(new Float64Array(), "best")).toBeNaN();
  });

  it("lie at generations, steps or seconds", () => {
    expect(positionsOf(columns, "generation")).toEqual(Float64Array.of(1, 2, 3));
    expect(positionsOf(columns, "steps")).toEqual(columns.global_step);
    expect(positionsOf(columns, "time")).toEqual(Float64Array.of(0.5, 1, 1.5));
  });
});

describe("overlay", () => {
  const line = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer()), { selector: ([x]) => x })
    .map((points) => points.toSorted(([a], [b]) => a - b))
    .map((points) => ({ x: points.map(([x]) => x), y: points.map(([, y]) => y) }));

  it("keeps every point of every line, on one rising axis", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const { x, lines: shown } = overlay(lines);
        expect(x).toEqual([...new Set(x)].sort((a, b) => a - b));
        for (const [at, { x: own, y }] of lines.entries()) {
          const points = x.flatMap((position, row) => {
            const value = shown[at]?.[row];
            return value === null || value === undefined ? [] : [[position, value]];
          });
          expect(points).toEqual(own.map((position, row) => [position, y[row]]));
        }
      }),
    );
  });

  it("draws few points of a long line, its first and last among them", () => {
    const x = Array.from({ length: 50_000 }, (_, row) => row);
    const shown = overlay([{ x, y: x }]);
    expect(shown.x.length).toBeLessThanOrEqual(MOST_POINTS);
    expect([shown.x[0], shown.x.at(-1)]).toEqual([0, 49_999]);
  });

  it("leaves out what is no number", () => {
    expect(overlay([{ x: [1, 2, 3], y: [1, Number.NaN, 3] }])).toEqual({ x: [1, 3], lines: [[1, 3]] });
  });
});

describe("configRows", () => {
  it("tells which values differ, and where one is missing", () => {
    const rows = configRows([
      {
        seed: 7,
        manifest: { algorithm: { name: "DQN", lr: 0.1, double: true }, training: { seed: 7 } },
      },
      { seed: 8, manifest: { algorithm: { name: "DQN", lr: 0.2 } } },
    ]);
    expect(rows).toEqual([
      { name: "seed", values: [7, 8], differs: true },
      { name: "algorithm.name", values: ["DQN", "DQN"], differs: false },
      { name: "algorithm.lr", values: [0.1, 0.2], differs: true },
      { name: "algorithm.double", values: ["on", null], differs: true },
      // The row of the seeds tells it.
      { name: "training.seed", values: [7, null], differs: false },
    ]);
  });
});

describe("an environment's caption", () => {
  it("has its options in words", () => {
    expect(environmentWords("FrozenLake-v1", { is_slippery: false, map_name: "8x8", seed: null })).toBe(
      "FrozenLake-v1 (is_slippery off, map_name 8x8)",
    );
    expect(environmentWords("CartPole-v1", null)).toBe("CartPole-v1");
    expect(environmentWords("CartPole-v1", {})).toBe("CartPole-v1");
  });
});
