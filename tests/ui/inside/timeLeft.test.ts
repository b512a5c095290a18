import { describe, expect, it } from "vitest";
import type { FitnessColumns } from "../../../src/tracking/clients.ts";
import type { ProgressReport } from "../../../src/tracking/observer.ts";
import { roughly, timeLeft } from "../../../src/ui/pages/run/overview/timeLeft.ts";

const PROGRESS: ProgressReport = {
  event: "progress",
  generation: 1,
  global_step: 1000,
  total_steps: 4000,
  steps_per_second: 100,
  learn_steps_per_second: 1,
};

/** Generations of 100 steps and 2 seconds with these fitnesses. */
const columnsOf = (rows: readonly (readonly number[])[]): FitnessColumns => ({
  generations: rows.length,
  population: rows[0]?.length ?? 0,
  generation: Float64Array.from(rows, (_, row) => row + 1),
  global_step: Float64Array.from(rows, (_, row) => 100 * (row + 1)),
  seconds: new Float64Array(rows.length).fill(2),
  fitness: Float64Array.from(rows.flat()),
});

describe("timeLeft", () => {
  it("is that of the steps at the speed so far, before the first generation ends", () => {
    const left = (given: ProgressReport | null) => timeLeft(columnsOf([]), given, 475);
    expect(left(PROGRESS)).toEqual({ least: null, most: 30 });
    expect(left({ ...PROGRESS, steps_per_second: 0 })).toBeNull();
    expect(left({ ...PROGRESS, global_step: 5000 })).toEqual({ least: null, most: 0 });
    expect(left(null)).toBeNull();
  });

  const later = { ...PROGRESS, global_step: 300, steps_per_second: 1000 };

  it("takes the speed of whole generations, with their evaluations", () => {
    expect(timeLeft(columnsOf([[0], [10]]), later, null)).toEqual({ least: null, most: 74 });
  });

  it("is a range once the mean fitness rises towards a target", () => {
    const rising = columnsOf([[0], [10], [20]]);
    expect(timeLeft(rising, later, 100)).toEqual({ least: 16, most: 74 });
    expect(timeLeft(rising, later, 10)).toEqual({ least: 0, most: 74 });
    // A member that failed has no fitness.
    const failed = columnsOf([
      [0, 0],
      [10, 10],
      [20, Number.NaN],
    ]);
    expect(timeLeft(failed, later, 100)?.least).toBe(16);
  });

  it("has no least where the pace does not reach the target", () => {
    const least = (rows: number[][], target: number) => timeLeft(columnsOf(rows), later, target)?.least;
    expect(least([[0], [10], [20]], 1000)).toBeNull();
    expect(least([[20], [10], [0]], 100)).toBeNull();
    expect(least([[0], [10]], 100)).toBeNull();
    expect(least([[Number.NaN], [10], [20]], 100)).toBeNull();
  });
});

it.each([
  [0, "0 s"],
  [31, "40 s"],
  [162, "3 min"],
  [3780, "63 min"],
  [9000, "2.5 h"],
])("%d seconds are roughly %s", (seconds, text) => {
  expect(roughly(seconds)).toBe(text);
});
