/** BipedalWalker beside Gymnasium's, from recorded draws and states. */
import { describe, expect, it } from "vitest";
import { WalkerDynamics } from "../../../../../src/rl/environments/bipedalWalker/BipedalWalker.ts";
import { STATE, STATE_SIZE } from "../../../../../src/rl/environments/bipedalWalker/geometry.ts";
import { drawTerrain } from "../../../../../src/rl/environments/bipedalWalker/terrain.ts";
import { differences, OBSERVED, recorded, replay } from "./recorded.ts";

const { terrains, trajectories, steps } = recorded;

/** A part of the sorted numbers is not above the result. */
const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;

describe("terrain", () => {
  it.each(terrains)("of push $push is Gymnasium's, from the same draws", (terrain) => {
    const draws = replay(terrain.draws);
    const { heights, boxes } = drawTerrain(terrain.hardcore, draws);
    expect(draws.left()).toBe(0);
    expect(Math.max(...differences(heights, terrain.heights))).toBeLessThan(1e-5);
    const numbers = boxes.flatMap(({ x, y, width, height }) => [x, y, width, height]);
    expect(numbers).toHaveLength(terrain.boxes.flat().length);
    expect(Math.max(0, ...differences(numbers, terrain.boxes.flat()))).toBeLessThan(1e-4);
  });
});

describe("an episode", () => {
  it.each(trajectories)("follows Gymnasium's for its first 24 steps, on terrain $terrain", (trajectory) => {
    const terrain = terrains[trajectory.terrain];
    const dynamics = new WalkerDynamics(terrain?.hardcore ?? false);
    const found = [dynamics.begin(replay([...(terrain?.draws ?? []), terrain?.push ?? 0]))];
    for (const [step, reward] of trajectory.rewards.entries()) {
      const moved = dynamics.step(trajectory.actions[Math.floor(step / 3)] ?? []);
      found.push(Float32Array.from(moved.observation));
      expect(Math.abs(moved.reward - reward)).toBeLessThan(1e-3);
    }
    for (const [i, step] of OBSERVED.entries())
      expect(Math.max(...differences(found[step] ?? [], trajectory.observations[i] ?? []))).toBeLessThan(
        1e-4,
      );
  });
});

describe("one step from a recorded state", () => {
  const results = steps.map((step) => {
    const { hardcore = false, heights = [], boxes = [] } = terrains[step.terrain] ?? {};
    const dynamics = new WalkerDynamics(hardcore);
    const state = new Array<number>(STATE_SIZE).fill(0);
    state.splice(0, step.bodies.length, ...step.bodies);
    state.splice(STATE.standing, 2, ...step.standing);
    state.splice(STATE.heights, heights.length, ...heights);
    state.splice(STATE.boxes, 4 * boxes.length, ...boxes.flat());
    dynamics.setState(state);
    return { step, moved: dynamics.step(step.action) };
  });

  it("observes and earns what Gymnasium's does", () => {
    const observations = results.map(({ step, moved }) =>
      Math.max(...differences(moved.observation, step.observation)),
    );
    const rewards = results.map(({ step, moved }) => Math.abs(moved.reward - step.reward));
    // Rarely, f32 and f64 find other corners in contact, which changes the impulses.
    expect(quantile(observations, 0.95)).toBeLessThan(1e-4);
    expect(quantile(rewards, 0.95)).toBeLessThan(1e-3);
  });

  it("ends exactly where Gymnasium's does", () => {
    expect(steps.filter(({ terminated }) => terminated).length).toBeGreaterThan(5);
    for (const { step, moved } of results) expect(moved.terminated).toBe(step.terminated);
  });
});
