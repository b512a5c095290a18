import { describe, expect, it } from "vitest";
import {
  bootstrap,
  interquartile,
  interquartileMean,
  mean,
  meanOverTasks,
  paired,
  percentile,
  strata,
} from "../../bench/evolution/statistics.ts";

const samples = (task: string, ...values: number[]) => values.map((value, seed) => ({ task, seed, value }));

describe("interquartileMean", () => {
  it("leaves out a quarter of the values at both ends", () => {
    expect(interquartileMean([100, 1, 2, 3, 4, 5, 6, -90])).toBe(3.5);
  });

  it("rounds the quarter down", () => {
    expect(interquartileMean([0, 1, 2, 3, 4, 5, 9])).toBe(3);
    expect(interquartileMean([1, 2, 6])).toBe(3);
  });
});

describe("percentile", () => {
  it("interpolates between neighbours", () => {
    expect(percentile([10, 20, 30, 40, 50], 0.5)).toBe(30);
    expect(percentile([10, 20, 30, 40, 50], 0.1)).toBe(14);
    expect(percentile([10, 20], 1)).toBe(20);
  });
});

describe("bootstrap", () => {
  it("draws within tasks only, so equal values within each task leave no interval", () => {
    const both = [...samples("a", 1, 1, 1, 1), ...samples("b", 5, 5, 5, 5)];
    expect(interquartile(both, 100)).toEqual({ estimate: 3, low: 3, high: 3, count: 8 });
    expect(strata(both)).toEqual([
      [1, 1, 1, 1],
      [5, 5, 5, 5],
    ]);
  });

  it("covers the outcomes of two values with their shares", () => {
    // Means of two draws from 0 and 1: a quarter 0, a half 0.5, a quarter 1.
    const drawn: number[] = [];
    const interval = bootstrap(
      samples("a", 0, 1),
      (groups) => {
        drawn.push(mean(groups.flat()));
        return mean(groups.flat());
      },
      4000,
    );
    expect(interval).toEqual({ estimate: 0.5, low: 0, high: 1, count: 2 });
    expect(drawn.filter((value) => value === 0.5).length / 4001).toBeCloseTo(0.5, 1);
  });

  it("has the interval of the normal distribution for a large sample", () => {
    // 400 values with standard deviation 0.5: the standard error is 0.025.
    const values = Array.from({ length: 400 }, (_, i) => i % 2);
    const { low, high } = meanOverTasks(samples("a", ...values), 2000);
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
  });

  it("counts each task alike, however many runs it has", () => {
    expect(meanOverTasks([...samples("a", 0, 0, 0, 0, 0, 0), ...samples("b", 1, 1)], 10).estimate).toBe(0.5);
  });

  it("says that there is nothing without samples", () => {
    expect(interquartile([]).count).toBe(0);
    expect(interquartile([]).estimate).toBeNaN();
  });
});

describe("paired", () => {
  it("subtracts runs of the same task and seed, and leaves out the others", () => {
    const first = [
      { task: "a", seed: 0, value: 5 },
      { task: "a", seed: 1, value: 7 },
      { task: "b", seed: 0, value: 9 },
    ];
    const second = [
      { task: "b", seed: 0, value: 1 },
      { task: "a", seed: 1, value: 3 },
      { task: "a", seed: 2, value: 100 },
    ];
    expect(paired(first, second)).toEqual([
      { task: "a", seed: 1, value: 4 },
      { task: "b", seed: 0, value: 8 },
    ]);
  });
});
