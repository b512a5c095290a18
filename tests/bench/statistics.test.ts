import { describe, expect, it } from "vitest";
import { meets } from "../../bench/harness/Row.ts";
import { meanAndDeviation, median, summarise } from "../../bench/harness/statistics.ts";

describe("summarise", () => {
  it("takes the middle of an odd number of values and leaves them in their order", () => {
    const values = [9, 1, 5];
    expect(summarise(values)).toEqual({ median: 5, min: 1, max: 9 });
    expect(values).toEqual([9, 1, 5]);
  });

  it("takes the mean of the two middle values of an even number", () => {
    expect(median([4, 1, 3, 10])).toBe(3.5);
  });

  it("counts what was never reached as later than everything", () => {
    expect(median([Infinity, 1, 3, Infinity, 2])).toBe(3);
    expect(median([Infinity, 1, Infinity])).toBe(Infinity);
  });
});

describe("meanAndDeviation", () => {
  it("is of all the values there are", () => {
    expect(meanAndDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ mean: 5, deviation: 2 });
  });

  it("has no spread for one value", () => {
    expect(meanAndDeviation([-98.5])).toEqual({ mean: -98.5, deviation: 0 });
  });
});

describe("meets", () => {
  const figure = { name: "x", unit: "us" };

  it("holds a target on its side", () => {
    expect(meets({ ...figure, target: { at_most: 75 } }, 75)).toBe(true);
    expect(meets({ ...figure, target: { at_most: 75 } }, 76)).toBe(false);
    expect(meets({ ...figure, target: { at_least: 8 } }, 7.9)).toBe(false);
  });

  it("says nothing without a target, and no to what was not reached", () => {
    expect(meets(figure, 1)).toBeNull();
    expect(meets({ ...figure, target: { at_most: 3 } }, Infinity)).toBe(false);
  });
});
