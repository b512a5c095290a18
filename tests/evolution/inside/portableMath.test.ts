import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logarithm, power } from "../../../src/evolution/members.ts";
import { exponential } from "../../../src/evolution/portableMath.ts";

/** Relative error against the engine's own function, whose last bits alone may differ. */
const error = (found: number, expected: number) => Math.abs(found - expected) / Math.abs(expected);

describe("portable mathematics", () => {
  it("agrees with the engine's logarithm and exponential", () => {
    const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
    fc.assert(
      fc.property(positive, (x) => {
        // Near 1 the logarithm is small, and what counts is the error of x itself.
        expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(1e-15 * Math.max(1, Math.abs(Math.log(x))));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(error(exponential(x), Math.exp(x))).toBeLessThan(1e-15 * Math.max(1, Math.abs(x)));
      }),
    );
    expect([exponential(0), exponential(800), exponential(-800)]).toEqual([1, Infinity, 0]);
  });

  it.each([0, -0, -1, 5e-324, 1e-310, Infinity, -Infinity, Number.NaN])("has a logarithm of %d", (x) => {
    expect(logarithm(x).toFixed(9)).toBe(Math.log(x).toFixed(9));
  });

  it("agrees with the engine's power, ends included", () => {
    const bases = fc.double({ min: 1e-30, max: 1e30, noNaN: true });
    fc.assert(
      fc.property(bases, fc.double({ min: -2, max: 2, noNaN: true }), (x, y) => {
        expect(error(power(x, y), x ** y)).toBeLessThan(1e-13);
      }),
    );
    expect([power(0, 0.6), power(0, 0), power(3, 0), power(1, 0.6), power(0, -1)]).toEqual([
      0,
      1,
      1,
      1,
      Infinity,
    ]);
  });
});
