/** Where tiles lie, how one cast gives way to the next, and how fast environments are shown. */
import { describe, expect, it } from "vitest";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { Allowance } from "../../../src/stage/Allowance.ts";
import { frameRateOf, ReturnScale } from "../../../src/stage/Scene.ts";
import { tileGap, tileGrid } from "../../../src/stage/tileGrid.ts";

describe("tiles", () => {
  it.each([
    [1, 560, 400, [1, 1]],
    [2, 560, 240, [2, 1]],
    [8, 560, 400, [4, 2]],
    [16, 560, 400, [4, 4]],
    [16, 540, 350, [4, 4]],
    [64, 560, 400, [11, 6]],
    [256, 1200, 450, [32, 8]],
    [8, 340, 600, [2, 4]],
  ] as const)("%i in %i x %i", (count, width, height, shape) => {
    const caption = 24;
    const grid = tileGrid(count, width, height, caption);
    expect([grid.columns, grid.rows]).toEqual(shape);
    const places = Array.from({ length: count }, (_, position) => grid.place(position));
    const gap = tileGap(count);
    for (const { x, y, width: wide, height: high } of places) {
      expect(x + wide).toBeLessThanOrEqual(width);
      expect(y + high + caption).toBeLessThanOrEqual(height);
      expect([x % (wide + gap), y % (high + caption + gap)]).toEqual([0, 0]);
    }
  });

  it("stay above nothing where there is hardly any room", () => {
    const { width, height } = tileGrid(64, 10, 10, 24).place(63);
    expect(Math.min(width, height)).toBe(1);
  });
});

describe("a return's bar", () => {
  it("has one scale for all, which grows with what is seen", () => {
    const scale = new ReturnScale(null);
    expect(scale.lengthOf(3)).toBe(0);
    scale.see(-200);
    expect([scale.lengthOf(-200), scale.lengthOf(-50), scale.lengthOf(0)]).toEqual([0, 0.75, 1]);
    scale.see(Number.NaN);
    scale.see(200);
    expect([scale.lengthOf(0), scale.lengthOf(500), scale.lengthOf(Number.NaN)]).toEqual([0.5, 1, 0]);
    expect(new ReturnScale(475).lengthOf(237.5)).toBe(0.5);
  });
});

describe("an allowance", () => {
  it("comes with time and is spent by work, with no rush after a rest", () => {
    const allowance = new Allowance(0.1);
    allowance.earn(60_000);
    allowance.spend(50);
    expect(allowance.left).toBe(0);
    allowance.spend(20);
    allowance.earn(100);
    expect(allowance.left).toBe(-10);
    allowance.earn(200);
    expect(allowance.left).toBe(10);
  });
});

describe("frames per second", () => {
  it.each([
    ["CartPole-v1", 50],
    ["rlkit/CartPole-masked-v1", 50],
    ["Acrobot-v1", 15],
    ["rlkit/Acrobot-masked-v1", 15],
    ["MountainCar-v0", 30],
    ["MountainCarContinuous-v0", 30],
    ["rlkit/MountainCar-masked-v0", 30],
    ["Pendulum-v1", 30],
    ["rlkit/Pendulum-masked-v1", 30],
    ["LunarLander-v3", 50],
    ["LunarLanderContinuous-v3", 50],
    ["BipedalWalker-v3", 50],
    ["BipedalWalkerHardcore-v3", 50],
    ["FrozenLake-v1", 4],
    ["FrozenLake8x8-v1", 4],
    ["CliffWalking-v1", 4],
    ["CliffWalkingSlippery-v1", 4],
    ["Taxi-v3", 4],
    ["Taxi-v4", 4],
    ["Blackjack-v1", 4],
    ["MinAtar/Breakout-v1", 20],
    ["MinAtar/Seaquest-v1", 20],
    ["rlkit/Policy-v0", 30],
  ])("%s: %i", (id, rate) => {
    expect(frameRateOf(findEnvironment(id))).toBe(rate);
  });
});
