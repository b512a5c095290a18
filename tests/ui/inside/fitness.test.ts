import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { descentPaths, lineOf } from "../../../src/ui/pages/run/charts/descentModel.ts";
import {
  fitnessDomain,
  fitnessModel,
  fitnessSummary,
  smoothedByDescent,
} from "../../../src/ui/pages/run/fitness/fitnessModel.ts";
import { longModel } from "../../../src/ui/pages/run/fitness/longModel.ts";
import { descendantsOf, type Member } from "./support/descendants.ts";

const plain = { smoothing: "none", target: null } as const;
const place = { x: (row: number) => 10 * row, y: (value: number) => value };

/** Members change their slots: 1 wins, its clone 2 takes the place of 0. */
const SWAPPED: readonly (readonly Member[])[] = [
  [
    [0, null, 1],
    [1, null, 2],
  ],
  [
    [1, 1, 3],
    [2, 1, 4],
  ],
];

describe("the lines of the fitness chart", () => {
  it("join members with those that they came from, never with their slots", () => {
    const all = descendantsOf(SWAPPED);
    const { living, ended } = descentPaths(all, all.columns.fitness, place);
    expect(living.join("")).toBe("M0.0 2.0L10.0 3.0M0.0 2.0L10.0 4.0");
    expect(ended).toBe("");
    expect(living.filter((path) => path !== "")).toHaveLength(2);
  });

  it("tell those that ended from those that live on in the generation that is looked at", () => {
    const three = [...SWAPPED, [[2, 2, 5] as const, [3, 2, 6] as const]];
    const all = descendantsOf(three);
    const { living, ended } = descentPaths(all, all.columns.fitness, place);
    expect(ended).toBe("M0.0 2.0L10.0 3.0");
    expect(living.join("")).toContain("M0.0 2.0L10.0 4.0");
    const before = descendantsOf(three, 1);
    expect(descentPaths(before, before.columns.fitness, place).ended).toBe(
      "M10.0 4.0L20.0 5.0M10.0 4.0L20.0 6.0",
    );
  });

  it("bridge generations without an evaluation", () => {
    const none = Number.NaN;
    const all = descendantsOf([[[0, null, 1]], [[0, 0, none]], [[1, 0, 7]]]);
    expect(descentPaths(all, all.columns.fitness, place).living.join("")).toBe("M0.0 1.0L20.0 7.0");
    expect(lineOf(all, all.columns.fitness, 2, place)).toBe("M20.0 7.0L0.0 1.0");
    expect(fitnessModel(all, { ...plain, axis: "generation" }).rows.map(({ x }) => x)).toEqual([1, 3]);
  });

  it("have the elite's line of descent, the spread and the best so far of every generation", () => {
    const { rows } = fitnessModel(descendantsOf(SWAPPED), { ...plain, axis: "steps" });
    expect(rows).toEqual([
      {
        x: 8000,
        row: 0,
        best: 2,
        range: [1, 2],
        middle: [1.25, 1.75],
        median: 1.5,
        elite: 2,
        selected: null,
        raw: null,
        agents: [],
      },
      {
        x: 16_000,
        row: 1,
        best: 4,
        range: [3, 4],
        middle: [3.25, 3.75],
        median: 3.5,
        elite: 4,
        selected: null,
        raw: null,
        agents: [],
      },
    ]);
  });

  it("are the spread from 17 members or 200 generations on", () => {
    const run = (members: number, generations: number) =>
      descendantsOf(
        Array.from({ length: generations }, () =>
          Array.from({ length: members }, (_, slot): Member => [slot, slot, slot]),
        ),
      );
    const crowded = (members: number, generations: number) =>
      fitnessModel(run(members, generations), { ...plain, axis: "steps" }).crowded;
    expect([crowded(16, 3), crowded(17, 3), crowded(2, 199), crowded(2, 200)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe("smoothing", () => {
  it("goes along descent and keeps the values behind", () => {
    const all = descendantsOf(SWAPPED);
    expect([...smoothedByDescent(all.columns.fitness, all.graph, 0.5)]).toEqual([1, 2, 2.5, 3]);
    const { rows, smooth } = fitnessModel(all, { ...plain, axis: "steps", smoothing: "some" });
    expect(smooth).toBe(true);
    expect(rows[1]?.elite).toBeCloseTo(0.6 * 2 + 0.4 * 4, 12);
    expect(rows[1]?.raw).toEqual({ median: 3.5, elite: 4, selected: null });
    expect(rows[1]?.best).toBe(4);
  });

  it("passes over what is no number", () => {
    const all = descendantsOf([[[0, null, 2]], [[0, 0, Number.NaN]], [[0, 0, 4]]]);
    expect([...smoothedByDescent(all.columns.fitness, all.graph, 0.5)]).toEqual([2, Number.NaN, 3]);
  });

  it("stays within the values it is made of", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 1, maxLength: 40 }), (values) => {
        const all = descendantsOf(values.map((value, at) => [[0, at === 0 ? null : 0, value] as const]));
        for (const value of smoothedByDescent(all.columns.fitness, all.graph, 0.9)) {
          expect(value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
          expect(value).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the vertical axis", () => {
  const many = Array.from({ length: 99 }, (_, value) => value);

  it("leaves out what lies far beyond the 2nd and the 98th percentile, and says how much", () => {
    const { ticks, above, below } = fitnessDomain([...many, -5000]);
    expect([ticks[0], ticks.at(-1)]).toEqual([0, 100]);
    expect([above, below]).toEqual([0, 1]);
    expect(fitnessDomain([...many, 1e9])).toMatchObject({ above: 1, below: 0 });
  });

  it("shows all where nothing lies far out, and what must be in sight", () => {
    expect(fitnessDomain(many)).toMatchObject({ above: 0, below: 0 });
    expect(fitnessDomain([1, 2], [50]).ticks.at(-1)).toBeGreaterThanOrEqual(50);
    expect(fitnessDomain([Number.NaN]).ticks.length).toBeGreaterThan(1);
  });
});

describe("the chart of a long run", () => {
  it("has bands, the median, the elite's line and the target within the same axis, and a mark where one looks", () => {
    const long = Array.from({ length: 600 }, (_, at): readonly Member[] => [
      [0, at === 0 ? null : 0, at],
      [1, at === 0 ? null : 1, -at],
    ]);
    const model = fitnessModel(descendantsOf(long, 300), { ...plain, axis: "generation", target: 700 });
    const plot = longModel(model);
    expect(plot.x).toHaveLength(600);
    expect(plot.bands).toHaveLength(2);
    expect(plot.lines.map(({ label }) => label)).toEqual([
      "lowest",
      "first quartile",
      "median",
      "third quartile",
      "highest",
      "best so far",
      "elite",
    ]);
    expect(plot.bounds).toEqual([700]);
    expect(plot.range?.[1]).toBeGreaterThanOrEqual(700);
    expect(plot.marks).toEqual([{ x: 301, label: "generation 301" }]);
    expect(fitnessSummary(model)).toContain("After generation 600 the median is 0.0");
  });
});
