import { describe, expect, it } from "vitest";
import { verdictOf } from "../../bench/learning/verdict.ts";

const points = (...scores: number[]) =>
  scores.map((score, i) => ({ steps: (i + 1) * 1000, score, seconds: i + 1 }));

describe("verdictOf", () => {
  it("passes at the second of the first two generations in succession", () => {
    const { passed, held, last, seconds } = verdictOf(points(480, 100, 490, 500, 300, 500), 475);
    expect(passed).toEqual({ steps: 4000, score: 500, seconds: 4 });
    expect(held).toBeCloseTo(2 / 3);
    expect(last).toBe(500);
    expect(seconds).toBe(4);
  });

  it("does not pass on single good generations", () => {
    expect(verdictOf(points(500, 100, 500, 100), 475)).toMatchObject({
      passed: null,
      held: 0,
      seconds: 4,
    });
  });

  it("counts the threshold itself as good", () => {
    expect(verdictOf(points(-200, -200), -200).passed?.steps).toBe(2000);
  });
});
