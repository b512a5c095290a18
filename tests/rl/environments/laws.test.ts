/** Invariants of environments under any actions. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/evolution/random.ts";
import { make } from "../../../src/rl/environments.ts";

const rewards: Readonly<Record<string, (reward: number) => boolean>> = {
  "MountainCarContinuous-v0": (r) => (r <= 0 && r >= -0.1 - 1e-6) || (r <= 100 && r >= 99.9 - 1e-4),
  "FrozenLake-v1": (r) => r === 0 || r === 1,
  "FrozenLake8x8-v1": (r) => r === 0 || r === 1,
  "CliffWalking-v1": (r) => r === -1 || r === -100,
  "CliffWalkingSlippery-v1": (r) => r === -1 || r === -100,
  "Taxi-v3": (r) => [-1, -10, 20].includes(r),
  "Taxi-v4": (r) => [-1, -10, 20].includes(r),
  "rlkit/BitFlip-v0": (r) => r === 0 || r === -1,
  "rlkit/PointMaze-v0": (r) => r === 0 || r === 1,
  "Blackjack-v1": (r) => [-1, 0, 1].includes(r),
};

describe.each(Object.entries(rewards))("random play in %s", (id, allowed) => {
  it("shows only what its space holds, earns only what its rules pay, and ends", () => {
    const env = make(id);
    const random = new Random({ seed: 11 });
    const { observation_space: space, action_space, spec } = env;
    const check = (observation: Float32Array): void => {
      expect(space.contains(space.kind === "Discrete" ? (observation[0] as number) : observation)).toBe(true);
    };
    for (let episode = 0; episode < 5; episode++) {
      check(env.reset({ seed: episode }).observation);
      let steps = 0;
      for (let ended = false; !ended; steps++) {
        const step = env.step(action_space.sample(random) as number | Float32Array);
        check(step.observation);
        expect(allowed(step.reward)).toBe(true);
        ended = step.terminated || step.truncated;
      }
      expect(steps).toBeLessThanOrEqual(spec.max_episode_steps);
    }
  });
});
