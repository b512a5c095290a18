import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chartRows, MAX_POINTS } from "../../src/ui/series/chartRows.ts";
import { FitnessSeries } from "../../src/ui/series/FitnessSeries.ts";
import { ticksAround, ticksWithin } from "../../src/ui/series/ticks.ts";
import { generationReport } from "./support/reports.ts";

function seriesOf(generations: readonly (readonly number[])[]): FitnessSeries {
  const series = new FitnessSeries(generations[0]?.length ?? 0);
  for (const [index, fitnesses] of generations.entries())
    series.append(generationReport(index + 1, fitnesses));
  return series;
}

describe("FitnessSeries", () => {
  it("knows the mean, the spread and the best so far", () => {
    const series = seriesOf([
      [10, 30],
      [20, 20],
    ]);
    expect([series.mean.at(0), series.deviation.at(0), series.best.at(0)]).toEqual([20, 10, 30]);
    expect([series.mean.at(1), series.deviation.at(1), series.best.at(1)]).toEqual([20, 0, 30]);
  });

  it("counts steps, generations and seconds", () => {
    const series = seriesOf([[1], [1], [1]]);
    expect(series.axis("generation").at(2)).toBe(3);
    expect(series.axis("steps").at(2)).toBe(12_000);
    expect(series.axis("time").at(2)).toBe(1.5);
  });

  it("takes no generation twice", () => {
    const series = seriesOf([[1], [2]]);
    expect(series.append(generationReport(2, [99]))).toBe(false);
    expect(series.length).toBe(2);
  });

  it("leaves a gap for a member whose fitness is no number", () => {
    const series = seriesOf([[Number.NaN, 4]]);
    expect(chartRows(series, "steps")).toEqual([
      { x: 8000, slots: [null, 4], best: 4, mean: 4, band: [4, 4], spread: null, elite: null },
    ]);
  });

  it("gives the agents of a chosen member lines of their own", () => {
    const series = new FitnessSeries(2);
    for (const [index, own] of [4, 6].entries()) {
      const report = generationReport(index + 1, [1, 2]);
      const members = report.members.map((member) => ({
        ...member,
        agent_fitness: { a_0: own, b_0: member.slot },
      }));
      series.append({ ...report, members });
    }
    expect(series.agents.agents).toEqual(["a_0", "b_0"]);
    const rows = chartRows(series, "steps", { selected: 1 });
    expect(rows.map(({ agents }) => agents)).toEqual([
      [4, 1],
      [6, 1],
    ]);
    expect(chartRows(series, "steps", { selected: 7 })[0]?.agents).toEqual([null, null]);
    expect(chartRows(series, "steps")[0]).not.toHaveProperty("agents");
    expect(chartRows(seriesOf([[1]]), "steps", { selected: 0 })[0]).not.toHaveProperty("agents");
  });

  it("has no best before any member has a fitness", () => {
    const series = seriesOf([[Number.NaN], [7]]);
    expect([series.best.at(0), series.best.at(1)]).toEqual([Number.NaN, 7]);
  });
});

describe("the spread of a large population", () => {
  const fitnesses = Array.from({ length: 41 }, (_, slot) => (slot * 7) % 41);

  it("has percentiles, the median and the elite of each generation", () => {
    const [row] = chartRows(seriesOf([fitnesses]), "generation");
    expect(row?.spread).toEqual({ outer: [4, 36], inner: [10, 30], median: 20 });
    expect(row?.elite).toBe(40);
  });

  it("lies between members where their number asks for it, and leaves out those that failed", () => {
    const failed = [...fitnesses.map((value) => (value >= 40 ? Number.NaN : value))];
    const [row] = chartRows(seriesOf([failed]), "generation");
    expect(row?.spread?.inner[0]).toBeCloseTo(9.75, 12);
    expect(row?.spread?.median).toBeCloseTo(19.5, 12);
    expect(row?.elite).toBe(39);
  });

  it("is not there for a generation in which no member was evaluated", () => {
    const rows = chartRows(seriesOf([fitnesses, fitnesses.map(() => Number.NaN)]), "generation");
    expect(rows).toHaveLength(1);
  });

  it("keeps the peaks of the elite in a long series", () => {
    const long = Array.from({ length: 900 }, (_, index) =>
      index === 451 ? fitnesses.with(0, 500) : fitnesses,
    );
    const rows = chartRows(seriesOf(long), "generation");
    expect(rows.length).toBeLessThanOrEqual(MAX_POINTS);
    expect(Math.max(...rows.map(({ elite }) => elite ?? 0))).toBe(500);
  });
});

describe("chartRows", () => {
  it("has the generations that were evaluated, each line through them without gaps", () => {
    const none = [Number.NaN, Number.NaN];
    const series = seriesOf([none, none, [1, 2], none, none, [3, Number.NaN], none]);
    expect(chartRows(series, "generation").map(({ x, slots, best }) => [x, slots, best])).toEqual([
      [3, [1, 2], 2],
      [6, [3, null], 3],
    ]);
    expect(chartRows(series, "steps").map(({ x }) => x)).toEqual([24_000, 48_000]);
  });

  it("keeps peaks of a long series that was seldom evaluated", () => {
    const long = Array.from({ length: 5000 }, (_, index) => [
      index % 5 === 4 ? (index === 2504 ? 100 : 1) : Number.NaN,
    ]);
    const rows = chartRows(seriesOf(long), "generation");
    expect(rows.length).toBeLessThanOrEqual(MAX_POINTS);
    expect(rows.map(({ slots }) => slots[0])).not.toContain(null);
    expect(rows.map(({ mean }) => mean)).not.toContain(null);
    expect(Math.max(...rows.map(({ slots }) => slots[0] ?? 0))).toBe(100);
  });

  it("keeps fewer points of each of many lines", () => {
    const rowsOf = (slots: number) =>
      chartRows(seriesOf(Array.from({ length: 500 }, () => new Array<number>(slots).fill(1))), "generation");
    expect([4, 16, 24, 32].map((slots) => rowsOf(slots).length)).toEqual([400, 400, 200, 200]);
  });

  it("draws a short series as it is", () => {
    const rows = chartRows(
      seriesOf([
        [1, 2],
        [3, 4],
      ]),
      "generation",
    );
    expect(rows.map((row) => [row.x, ...row.slots])).toEqual([
      [1, 1, 2],
      [2, 3, 4],
    ]);
  });

  it("keeps few points of a long series, in order, with every line's peaks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MAX_POINTS + 1, max: 5000 }),
        fc.nat(),
        fc.nat(),
        (length, peakSeed, troughSeed) => {
          const [peak, trough] = [peakSeed % length, troughSeed % length];
          const values = Array.from({ length }, (_, index) => [Math.sin(index / 9), 0]);
          values[peak] = [50, 0];
          if (trough !== peak) values[trough] = [-50, 0];
          const rows = chartRows(seriesOf(values), "generation");
          expect(rows.length).toBeLessThanOrEqual(MAX_POINTS);
          const drawn = rows.map((row) => row.slots[0] ?? Number.NaN);
          expect(Math.max(...drawn)).toBe(50);
          expect(Math.min(...drawn)).toBe(trough === peak ? Math.min(...values.map(([v = 0]) => v)) : -50);
          expect(rows.every((row, index) => index === 0 || row.x >= (rows[index - 1]?.x ?? 0))).toBe(true);
          expect(rows.at(-1)?.x).toBe(length);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("ticks", () => {
  const span = fc
    .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1e-3, max: 1e6, noNaN: true }))
    .map(([low, size]) => [low, low + size] as const);

  it("lie within the axis, evenly", () => {
    fc.assert(
      fc.property(span, ([low, high]) => {
        const ticks = ticksWithin(low, high, 6);
        const slack = (high - low) * 1e-6;
        expect(ticks.every((tick) => tick >= low - slack && tick <= high + slack)).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(8);
      }),
    );
  });

  it("enclose the values where asked", () => {
    fc.assert(
      fc.property(span, ([low, high]) => {
        const ticks = ticksAround(low, high, 5);
        const slack = (high - low) * 1e-6;
        expect(ticks[0]).toBeLessThanOrEqual(low + slack);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - slack);
        expect(ticks.length).toBeLessThanOrEqual(12);
      }),
    );
  });

  it("are round", () => {
    expect(ticksAround(0, 500, 5)).toEqual([0, 100, 200, 300, 400, 500]);
    expect(ticksAround(3, 3, 4)).toEqual([2, 2.5, 3, 3.5, 4]);
  });
});
