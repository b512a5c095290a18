import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { plotContent } from "../../../src/ui/components/plot/plotScene.ts";
import { fitnessWord } from "../../../src/ui/games/fitnessWord.tsx";
import type { Descendants } from "../../../src/ui/pages/run/charts/descentModel.ts";
import { descentSegments, RowSpread, tracedLine } from "../../../src/ui/pages/run/charts/descentModel.ts";
import { smoothedByDescent } from "../../../src/ui/pages/run/charts/descentSmoothing.ts";
import {
  fitnessDomain,
  fitnessModel,
  fitnessSummary,
} from "../../../src/ui/pages/run/fitness/fitnessModel.ts";
import { fitnessLegend, fitnessPlot } from "../../../src/ui/pages/run/fitness/fitnessPlot.ts";
import type { ChartAxis } from "../../../src/ui/routes/route.ts";
import { generationReport } from "../support/reports.ts";
import { descendantsOf, type Member } from "./support/descendants.ts";

/** Positions of rows. */
const positions = [0, 10, 20];

/** The fitness chart of members. */
const plotOf = (all: Descendants, axis: ChartAxis = "generation", target: number | null = null) =>
  fitnessPlot(fitnessModel(all, target), axis, new RowSpread());

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

describe("the fitness of a game", () => {
  it("is called its rating", () => {
    const wordOf = (name: string, more: Partial<GenerationReport> = {}) =>
      fitnessWord({ manifest: { environment: { name } }, latest: { ...generationReport(1, [1]), ...more } });
    expect(wordOf("rlkit/TicTacToe")).toBe("rating");
    expect(wordOf("CartPole-v1")).toBe("fitness");
    // A game in code is known by the league of its reports.
    expect(wordOf("own", { league: { players: [], matches: [] } })).toBe("rating");
    const model = fitnessModel(descendantsOf(SWAPPED), null, [], "rating");
    expect(fitnessPlot(model, "generation", new RowSpread()).valueLabel).toBe("rating");
    expect(fitnessSummary(model)).toContain("the best rating so far is 4.0.");
  });
});

describe("the lines of the fitness chart", () => {
  it("join members with those that they came from, never with their slots", () => {
    const all = descendantsOf(SWAPPED);
    const { living, ended } = descentSegments(all, all.columns.fitness, positions);
    expect(living.filter(({ length }) => length > 0)).toEqual([
      [0, 2, 10, 3],
      [0, 2, 10, 4],
    ]);
    expect(ended).toEqual([]);
  });

  it("tell those that ended from those that live on in the generation that is looked at", () => {
    const three = [...SWAPPED, [[2, 2, 5] as const, [3, 2, 6] as const]];
    const all = descendantsOf(three);
    const { living, ended } = descentSegments(all, all.columns.fitness, positions);
    expect(ended).toEqual([0, 2, 10, 3]);
    expect(living.map((ends) => ends.slice(0, 4))).toContainEqual([0, 2, 10, 4]);
    const before = descendantsOf(three, 1);
    expect(descentSegments(before, before.columns.fitness, positions).ended).toEqual([
      10, 4, 20, 5, 10, 4, 20, 6,
    ]);
  });

  it("bridge generations without an evaluation", () => {
    const none = Number.NaN;
    const all = descendantsOf([[[0, null, 1]], [[0, 0, none]], [[1, 0, 7]]]);
    expect(descentSegments(all, all.columns.fitness, positions).living.flat()).toEqual([0, 1, 20, 7]);
    expect(tracedLine(all, all.columns.fitness, 2, positions)).toEqual([
      [20, 7],
      [0, 1],
    ]);
    expect(fitnessModel(all, null).rows.map(({ row }) => row)).toEqual([0, 2]);
    const best = plotOf(all).lines.find(({ label }) => label === "best so far");
    expect(best?.values).toEqual([1, null, 7]);
  });

  it("have the elite's line of descent, the spread and the best so far of every generation", () => {
    const all = descendantsOf(SWAPPED);
    expect(fitnessModel(all, null).rows).toEqual([
      { row: 0, best: 2, range: [1, 2], middle: [1.25, 1.75], median: 1.5, elite: 2 },
      { row: 1, best: 4, range: [3, 4], middle: [3.25, 3.75], median: 3.5, elite: 4 },
    ]);
    const { x, lines } = plotOf(all, "steps");
    expect(x).toEqual([8000, 16_000]);
    expect(lines.map(({ label, values }) => [label, values])).toEqual([
      ["lowest", [1, 3]],
      ["first quartile", [1.25, 3.25]],
      ["median", [1.5, 3.5]],
      ["third quartile", [1.75, 3.75]],
      ["highest", [2, 4]],
      ["best so far", [2, 4]],
      ["elite", [2, 4]],
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
      plotOf(run(members, generations)).strands === undefined;
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
    // Weights 1/3 and 2/3: those of the average, 1/4 and 1/2, by their sum.
    const means = [1, 2, (2 + 2 * 3) / 3, (2 + 2 * 4) / 3];
    for (const [cell, value] of smoothedByDescent(all.columns.fitness, all.graph, 0.5).entries())
      expect(value).toBeCloseTo(means[cell] ?? Number.NaN, 12);
    const plot = plotOf(all, "steps");
    const content = plotContent(plot, { smoothing: 0.6, hidden: [] });
    const drawn = (label: string) =>
      content.lines.filter((line) => line.label === label).map(({ values }) => values[1]);
    const [raw, mean] = drawn("elite");
    expect(raw).toBe(4);
    expect(mean).toBeCloseTo((0.6 * 0.4 * 2 + 0.4 * 4) / (1 - 0.6 ** 2), 12);
    expect(drawn("best so far")).toEqual([4]);
    const strands = plot.strands?.(0.6) ?? [];
    expect(strands.filter(({ name }) => name === "raw").flatMap(({ segments }) => segments)).toEqual(
      plot.strands?.(0).flatMap(({ segments }) => segments),
    );
  });

  it("passes over what is no number", () => {
    const all = descendantsOf([[[0, null, 2]], [[0, 0, Number.NaN]], [[0, 0, 4]]]);
    const [first, second, third] = smoothedByDescent(all.columns.fitness, all.graph, 0.5);
    expect([first, second]).toEqual([2, Number.NaN]);
    expect(third).toBeCloseTo((2 + 2 * 4) / 3, 12);
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
  const numbers = fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }));

  it("has all evaluations and the target inside, whatever the episodes of training are", () => {
    fc.assert(
      fc.property(
        fc.array(numbers, { minLength: 1 }),
        fc.double({ min: -1e4, max: 1e4, noNaN: true }),
        (parts, target) => {
          const [training = [], ...evaluations] = parts;
          const { ticks } = fitnessDomain([...evaluations.flat(), target], training);
          for (const value of [...evaluations.flat(), target]) {
            expect(value).toBeGreaterThanOrEqual(ticks[0] ?? Number.NaN);
            expect(value).toBeLessThanOrEqual(ticks.at(-1) ?? Number.NaN);
          }
        },
      ),
    );
  });

  it("shows the best of PPO on CartPole-v1 that few episodes of training reached", () => {
    // Fitness as recorded with four members and a learning rate of 0.003, beside episodes that mostly end early.
    const fitness = [277, 90, 406, 161, 195, 67, 452, 159, 500, 173, 178, 182, 136, 179, 199, 487];
    const training = [...Array.from({ length: 95 }, (_, at) => 10 + at), 500, 500];
    expect(fitnessDomain(fitness, training)).toEqual({ ticks: [0, 100, 200, 300, 400, 500], cut: 0 });
  });

  it("cuts episodes of training far beyond the 2nd and the 98th percentile, and says how many", () => {
    const { ticks, cut } = fitnessDomain([20, 30], [...many, -5000]);
    expect([ticks[0], ticks.at(-1), cut]).toEqual([0, 100, 1]);
    expect(fitnessDomain([], [...many, 1e9]).cut).toBe(1);
    expect(fitnessDomain([], many).cut).toBe(0);
    expect(fitnessDomain([Number.NaN]).ticks.length).toBeGreaterThan(1);
  });
});

describe("the chart of a long run", () => {
  it("has bands, the median, the elite's line and the target within the same axis, and a mark where one looks", () => {
    const long = Array.from({ length: 600 }, (_, at): readonly Member[] => [
      [0, at === 0 ? null : 0, at],
      [1, at === 0 ? null : 1, -at],
    ]);
    const model = fitnessModel(descendantsOf(long, 300), 590);
    const plot = fitnessPlot(model, "generation", new RowSpread());
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
    expect(plot.bounds).toEqual([590]);
    expect(plot.range?.[1]).toBeGreaterThanOrEqual(590);
    expect(plot.marks).toEqual([
      { x: 301, label: "generation 301" },
      { x: 591, label: "target reached", colour: "target" },
    ]);
    expect(fitnessLegend(model, null).map(({ label }) => label)).toContain("target 590.0");
    expect(fitnessSummary(model)).toContain("It was reached in generation 591.");
    expect(fitnessSummary(model)).toContain("After generation 600 the median is 0.0");
  });
});
