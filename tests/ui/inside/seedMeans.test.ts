import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filled, meanOf } from "../../../src/ui/pages/compare/seedMeans.ts";

describe("a mean over seeds", () => {
  it("has the interval of Student's t", () => {
    // 1, 2, 3, 4, 5: mean 3, variance 2.5, standard error sqrt(0.5); t with four degrees of freedom 2.776.
    const { mean, low, high } = meanOf([0], [[1], [2], [3], [4], [5]]);
    expect(mean).toEqual([3]);
    expect(low[0]).toBeCloseTo(3 - 2.776 * Math.sqrt(0.5), 2);
    expect(high[0]).toBeCloseTo(3 + 2.776 * Math.sqrt(0.5), 2);
    expect(meanOf([0], [[480], [500], [500]], [0, 500]).high).toEqual([500]);
  });

  it("is where all seeds have values, also between their own positions", () => {
    const x = [0, 10, 20, 30];
    const lines = [
      [0, null, 20, 30],
      [null, 4, 6, null],
    ];
    expect(meanOf(x, lines).mean).toEqual([null, 7, 13, null]);
    expect(meanOf(x, []).mean).toEqual([null, null, null, null]);
    expect(meanOf(x, [[1, 2, null, 4]])).toMatchObject({ mean: [1, 2, 3, 4], low: [null, null, null, null] });
  });

  it("fills a line from its first to its last value, without a value beyond its neighbours'", () => {
    const line = fc.array(fc.option(fc.double({ min: -10, max: 10, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(line, (values) => {
        const x = values.map((_, at) => at * at);
        const whole = filled(x, values);
        const known = values.flatMap((value, at) => (value === null ? [] : [at]));
        const [first = 0, last = -1] = [known[0], known.at(-1)];
        for (const [at, value] of whole.entries()) {
          expect(value === null).toBe(at < first || at > last);
          expect(values[at] ?? value).toBe(value);
          expect(Math.abs(value ?? 0)).toBeLessThanOrEqual(10.000001);
        }
      }),
    );
  });
});
