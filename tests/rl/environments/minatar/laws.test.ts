import { describe, expect, it } from "vitest";
import { findEnvironment, make } from "../../../../src/rl/environments.ts";
import { publishedGames } from "./publishedGames.ts";

describe.each(Object.entries(publishedGames))("%s", (id, { rules }) => {
  const keys = rules.keys.length;

  it("keeps its observations within their space, its rewards whole and never negative", () => {
    const env = make(id);
    expect(env.observation_space.contains(env.reset({ seed: 8 }).observation)).toBe(true);
    for (let t = 0; t < 400; t++) {
      const { observation, reward, terminated } = env.step((t * t) % keys);
      expect(env.observation_space.contains(observation)).toBe(true);
      expect(Number.isInteger(reward) && reward >= 0).toBe(true);
      if (terminated) env.reset();
    }
  });

  it("repeats the last action in a tenth of the steps", () => {
    const env = make(id);
    env.reset({ seed: 4 });
    const STEPS = 2000;
    let repeated = 0;
    for (let t = 0; t < STEPS; t++) {
      const last = env.getState().at(-1) as number;
      const chosen = (last + 1) % keys;
      const { terminated } = env.step(chosen);
      const played = env.getState().at(-1);
      expect([last, chosen]).toContain(played);
      if (played === last) repeated++;
      if (terminated) env.reset();
    }
    // Five standard deviations of the binomial distribution.
    expect(Math.abs(repeated - STEPS / 10)).toBeLessThan(5 * Math.sqrt(STEPS * 0.1 * 0.9));
  });

  it("is truncated, not terminated, at its time limit", () => {
    expect(findEnvironment(id).max_episode_steps).toBe(10_000);
    const env = make(id, { max_episode_steps: 3 });
    env.reset({ seed: 1 });
    const ends = [0, 0, 0].map((action) => env.step(action)).map((one) => [one.terminated, one.truncated]);
    expect(ends).toEqual([
      [false, false],
      [false, false],
      [false, true],
    ]);
  });
});

describe("MinAtar/Freeway-v1", () => {
  it("ends with the step after 2,500 others", () => {
    const env = make("MinAtar/Freeway-v1");
    env.reset({ seed: 1 });
    for (let t = 0; t < 2500; t++) expect(env.step(0).terminated).toBe(false);
    expect(env.step(0).terminated).toBe(true);
  });
});
