import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitnessScale, fitnessStep, ticksAround, ticksWithin } from "../../../src/ui/series/scales.ts";

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

  it("are numbers however large and however close the values are", () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(1.7e308, -1.7e308, 1e308, 1e17, 0),
    );
    fc.assert(
      fc.property(value, value, (a, b) => {
        const ticks = ticksAround(Math.min(a, b), Math.max(a, b), 5);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.every(Number.isFinite)).toBe(true);
        for (const end of [a, b]) expect(fitnessStep(fitnessScale([a, b]), end)).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(ticksAround(1e17, 1e17, 4).length).toBeGreaterThan(1);
  });

  it("are round", () => {
    expect(ticksAround(0, 500, 5)).toEqual([0, 100, 200, 300, 400, 500]);
    expect(ticksAround(3, 3, 4)).toEqual([2, 2.5, 3, 3.5, 4]);
  });
});
