import fc from "fast-check";
import { describe, expect, it } from "vitest";
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
  it("knows the best so far", () => {
    const series = seriesOf([
      [10, 30],
      [20, Number.NaN],
      [31, 20],
    ]);
    expect([0, 1, 2].map((row) => series.best.at(row))).toEqual([30, 30, 31]);
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

  it("has no best before any member has a fitness", () => {
    const series = seriesOf([[Number.NaN], [7]]);
    expect([series.best.at(0), series.best.at(1)]).toEqual([Number.NaN, 7]);
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
