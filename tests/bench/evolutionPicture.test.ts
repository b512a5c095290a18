/** The evolution bench's picture: which score a contender has at a share of the budget. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../bench/evolution/measure.ts";
import { pictureOf, progressOf } from "../../bench/evolution/picture.ts";
import { findTask } from "../../bench/evolution/tasks.ts";

const { budget } = findTask("ppo-cartpole");

const outcome = (seed: number, curve: Outcome["curve"], more: Partial<Outcome> = {}): Outcome => ({
  task: "ppo-cartpole",
  recipe: "middle",
  seed,
  digest: "",
  env_steps: budget,
  learn_steps: 0,
  evaluations: 0,
  generations: curve.length,
  processor_s: 0,
  wall_s: 0,
  curve,
  delivered: 0,
  final: 0,
  kept: 0,
  area: 0,
  steps_to_target: null,
  hyperparameters: {},
  ...more,
});

describe("scores over the budget", () => {
  it("never fall, and count a generation that ends after the budget", () => {
    const values = progressOf([
      outcome(0, [
        [budget / 2, 0.6],
        [budget * 0.75, 0.2],
        [budget + 64, 0.8],
      ]),
    ]);
    expect([values[0], values[29], values[30], values[59], values[60]]).toEqual([0, 0, 0.6, 0.6, 0.8]);
  });

  it("count each task alike, however many seeds it has", () => {
    const acrobot = { task: "ppo-acrobot" };
    const values = progressOf([
      outcome(0, [[0, 0.2]]),
      outcome(1, [[0, 0.4]]),
      outcome(0, [[0, 0.9]], acrobot),
    ]);
    expect(values.at(-1)).toBeCloseTo(0.6, 12);
  });

  it("have one line and one name for each contender", () => {
    const svg = pictureOf([outcome(0, [[0, 1]]), outcome(0, [[0, 1]], { recipe: "a < b" })], "title");
    expect(svg.match(/<polyline/g)).toHaveLength(2);
    expect(svg).toContain(">a &lt; b</text>");
    expect(svg).toContain(">one run in the middle of the ranges</text>");
    expect(() => pictureOf([], "title")).toThrow("found none");
  });
});
