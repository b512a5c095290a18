import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateOf, intervalMethod, isEvidence } from "../../../src/tracking/interval.ts";

/**
 * Values with their centre and interval of 95 % from SciPy 1.17.1: `stats.t.interval` around the mean below ten values,
 * `stats.trim_mean(values, 0.25)` and `mstats.trimmed_mean_ci` from ten on, `ttest_rel` for the differences.
 */
const KNOWN = [
  [[203.4, 187.9, 231.2], 207.5, [152.99992080300592, 262.0000791969941]],
  [[486.5, 500, 391.75, 500, 472.1], 470.07, [413.8523066773777, 526.2876933226222]],
  [
    [-212.3, -188.4, -305.9, -150.2, -199.9, -171, -240.6, -166.6, -181.4],
    -201.8111111111111,
    [-238.17291712197294, -165.44930510024926],
  ],
  [
    [500, 500, 498.2, 500, 123.4, 500, 476.9, 500, 499.1, 488.8],
    497.68333333333334,
    [489.1387358096121, 506.2279308570547],
  ],
  [
    [12.5, 14.25, 9.75, 31, 11.5, 13, 12, 15.5, 10.25, 2, 14, 12.75, 13.5],
    12.75,
    [11.297094492810743, 14.202905507189257],
  ],
  // The differences of 486.5, 500, 391.75, 500, 472.1, 455 and 301.2, 422.5, 356, 480.25, 390, 470.5.
  [[185.3, 77.5, 35.75, 19.75, 82.1, -15.5], 64.15, [-9.009725487886499, 137.3097254878865]],
] as const;

describe("the interval of independent values", () => {
  it.each(KNOWN)("of %j is SciPy's", (values, value, interval) => {
    const found = estimateOf(values);
    expect(found.value).toBeCloseTo(value, 9);
    // The quantiles of Student's t are within 0.2 %.
    const tolerance = 0.002 * (interval[1] - value);
    for (const end of [0, 1] as const)
      expect(Math.abs((found.interval?.[end] ?? Number.NaN) - interval[end])).toBeLessThan(tolerance);
  });

  it("is named, and there is none for fewer than three", () => {
    expect(estimateOf([1, 2]).interval).toBeNull();
    expect([2, 3, 9, 10].map(intervalMethod)).toEqual([
      null,
      "Student's t",
      "Student's t",
      "Student's t for trimmed means",
    ]);
    expect([9, 10].map((count) => estimateOf(Array.from({ length: count }, () => 1)).of)).toEqual([
      "mean",
      "interquartile mean",
    ]);
  });

  it("stays within the possible values and around the centre, and says nothing of equal ones", () => {
    const values = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(values, (some) => {
        const { value, interval } = estimateOf(some, [0, 500]);
        const [low, high] = interval ?? [Number.NaN, Number.NaN];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(500);
        expect(value - low).toBeGreaterThanOrEqual(-1e-9);
        expect(high - value).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
    expect(isEvidence(estimateOf([0, 0, 0]).interval)).toBe(false);
  });
});
