/** Tasks with goals in MuJoCo: starts, rewards of any goals, and what pushes move. */
import { beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { loadEnvironment, make } from "../../../../../src/rl/environments.ts";
import type { NamedEnvironment } from "../../../../../src/rl/faces.ts";
import { requireGoals } from "../../../../../src/rl/spaces.ts";

const [REACH, PUSH] = ["rlkit/Reach-v0", "rlkit/Push-v0"];

beforeAll(async () => {
  for (const id of [REACH, PUSH]) await loadEnvironment(id);
});

/** Parts of an observation. */
function partsOf(env: NamedEnvironment, row: ArrayLike<number>) {
  const parts = requireGoals(env.observation_space, env.spec.id);
  const part = (name: keyof typeof parts): Float32Array =>
    Float32Array.from(row).slice(parts[name].start, parts[name].start + parts[name].size);
  return { observation: part("observation"), achieved: part("achieved_goal"), desired: part("desired_goal") };
}

const between = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (x, i) => x - (b[i] as number)));

describe.each([REACH, PUSH])("%s", (id) => {
  it.each(["sparse", "dense"])("gives the %s reward of any goals, and tells success", (reward_type) => {
    const env = make(id, { reward_type });
    const starts = Array.from({ length: 40 }, (_, seed) => partsOf(env, env.reset({ seed }).observation));
    const random = new Random({ seed: 1 });
    for (const { desired: goal } of starts) {
      const { observation, reward, terminated, info } = env.step(env.action_space.sample(random));
      const { achieved, desired } = partsOf(env, observation);
      const expected = (to: ArrayLike<number>): number =>
        reward_type === "dense" ? -between(achieved, to) : between(achieved, to) < 0.05 ? 0 : -1;
      expect(reward).toBeCloseTo(expected(desired), 12);
      expect(info["is_success"]).toBe(between(achieved, desired) < 0.05);
      expect(terminated).toBe(false);
      const both = env.compute_reward?.([achieved, achieved], [goal, achieved], []) ?? [];
      const [other = Number.NaN, own] = Array.from(both);
      expect(other).toBeCloseTo(expected(goal), 12);
      expect(own).toBeCloseTo(0, 12);
    }
    env.close();
  });

  it("has goals of its own in each episode, and ends after 50 steps", () => {
    const env = make(id);
    const goals = Array.from(
      { length: 50 },
      (_, seed) => partsOf(env, env.reset({ seed }).observation).desired,
    );
    expect(new Set(goals.map((goal) => goal.join())).size).toBe(50);
    const still = env.action_space.kind === "Box" ? [...env.action_space.low].fill(0) : [];
    const steps = Array.from({ length: 50 }, () => env.step(still));
    expect(steps.map(({ truncated }) => truncated)).toEqual([
      ...Array.from({ length: 49 }, () => false),
      true,
    ]);
    env.close();
  });
});

it("has goals of Reach about the tip at rest, all within the arm's reach", () => {
  const env = make(REACH);
  for (let seed = 0; seed < 200; seed++) {
    const { achieved, desired } = partsOf(env, env.reset({ seed }).observation);
    expect(between(achieved, [0.36, 0, 0.15])).toBeLessThan(1e-6);
    for (const [i, x] of desired.entries()) expect(Math.abs(x - (achieved[i] as number))).toBeLessThan(0.15);
    expect(between(desired, [0, 0, 0.15])).toBeLessThan(0.6);
  }
  env.close();
});

describe("Push", () => {
  it("starts with the finger, the puck and the goal apart", () => {
    const env = make(PUSH);
    for (let seed = 0; seed < 200; seed++) {
      const { observation, achieved, desired } = partsOf(env, env.reset({ seed }).observation);
      expect([...observation.subarray(0, 2)]).toEqual([0, 0]);
      expect(between(achieved, [0, 0])).toBeGreaterThan(0.1);
      expect(between(achieved, desired)).toBeGreaterThan(0.1);
    }
    env.close();
  });

  it("moves the puck where the finger pushes it, and friction stops it", () => {
    const env = make(PUSH);
    env.reset({ seed: 1 });
    // Finger, puck and goal; then velocities.
    env.setState([-0.1, 0, 0, 0, 0.1, 0.1, 0, 0, 0, 0, 0, 0]);
    for (let i = 0; i < 2; i++) env.step([1, 0]);
    const pushed = partsOf(env, env.step([-1, 0]).observation);
    expect(pushed.achieved[0]).toBeGreaterThan(0.02);
    for (let i = 0; i < 4; i++) env.step([-1, 0]);
    const { observation, achieved } = partsOf(env, env.step([0, 0]).observation);
    expect(Math.abs(observation[8] as number)).toBeLessThan(1e-3);
    // A friction of 1 N stops 0.1 kg of 1 m/s within 0.05 m, far from the table's edge at 0.3 m.
    expect(achieved[0]).toBeLessThan((pushed.achieved[0] as number) + 0.05);
    expect(achieved[0]).toBeLessThan(0.2);
    env.close();
  });

  it("succeeds where the puck is at the goal", () => {
    const env = make(PUSH);
    env.reset({ seed: 1 });
    env.setState([-0.1, 0, 0.1, 0.1, 0.1, 0.12, 0, 0, 0, 0, 0, 0]);
    expect(env.step([0, 0])).toMatchObject({ reward: 0, terminated: false, info: { is_success: true } });
    env.close();
  });
});
