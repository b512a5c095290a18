import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gust, sine, tanh } from "../../../../../src/rl/environments/lunarLander/wind.ts";

describe("wind", () => {
  it("has a sine and a hyperbolic tangent of its own", () => {
    fc.assert(
      fc.property(fc.double({ min: -500, max: 500, noNaN: true }), (x) => {
        expect(Math.abs(sine(x) - Math.sin(x))).toBeLessThan(1e-12);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (x) => {
        expect(Math.abs(tanh(x) - Math.tanh(x))).toBeLessThan(1e-12);
      }),
    );
  });

  it("follows the published formula and stays below its power", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 11_000 }), (step) => {
        const published = 15 * Math.tanh(Math.sin(0.02 * step) + Math.sin(Math.PI * 0.01 * step));
        expect(gust(step, 15)).toBeCloseTo(published, 9);
        expect(Math.abs(gust(step, 15))).toBeLessThan(15);
      }),
    );
  });
});
