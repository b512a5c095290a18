import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCompiledEnvironment, make } from "../../../../src/rl/environments.ts";
import { published } from "./publishedDynamics.ts";

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 + 2e-4 * Math.abs(b);
/** Compares angles modulo 2 pi. */
const nearAngle = (a: number, b: number): boolean => near(a, b) || near(Math.abs(a - b), 2 * Math.PI);

const floatIn = ([low, high]: readonly [number, number]): fc.Arbitrary<number> =>
  fc.float({ min: Math.fround(low), max: Math.fround(high), noNaN: true });

describe.each(Object.entries(published))("%s follows its published equations", (id, { step, bounds }) => {
  const { action_space, variables } = findCompiledEnvironment(id);
  const action = action_space.kind === "Discrete" ? fc.nat(action_space.n - 1) : floatIn([-3, 3]);
  const env = make(id);

  it("in state, observation, reward and termination from any state", () => {
    fc.assert(
      fc.property(fc.tuple(...bounds.map(floatIn)), action, (state, chosen) => {
        env.reset({ seed: 0 });
        env.setState(state);
        const found = env.step(chosen);
        const expected = step(state, chosen);
        const wrong = [...env.getState()].flatMap((value, i) => {
          const same = id === "Acrobot-v1" && i < 2 ? nearAngle : near;
          const wanted = expected.state[i] as number;
          return same(value, wanted) ? [] : [`${variables[i]}: found ${value}, allowed about ${wanted}`];
        });
        for (const [i, value] of found.observation.entries()) {
          const wanted = expected.observation[i] as number;
          if (!near(value, wanted)) wrong.push(`observation[${i}]: found ${value}, allowed about ${wanted}`);
        }
        const borderline = expected.margin < 1e-4;
        if (!borderline && found.terminated !== expected.terminated)
          wrong.push(`terminated: ${found.terminated}`);
        if (!borderline && !near(found.reward, expected.reward))
          wrong.push(`reward: found ${found.reward}, allowed about ${expected.reward}`);
        expect(wrong).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("over an episode, taken up again from its own state at every step", () => {
    env.reset({ seed: 5 });
    for (let t = 0; t < 100; t++) {
      const before = [...env.getState()];
      const chosen = action_space.kind === "Discrete" ? t % action_space.n : 2 - (t % 5);
      const expected = step(before, chosen);
      const found = env.step(chosen);
      expect(found.observation.every((value, i) => near(value, expected.observation[i] as number))).toBe(
        true,
      );
      if (found.terminated) break;
    }
  });
});
