import { beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../../src/evolution/random.ts";
import { loadEnvironment, make, type NamedEnvironment } from "../../../../src/rl/environments/index.ts";
import { heuristic } from "./heuristic.ts";

const DISCRETE = "LunarLander-v3";
const CONTINUOUS = "LunarLanderContinuous-v3";

beforeAll(async () => {
  await Promise.all([DISCRETE, CONTINUOUS].map(loadEnvironment));
});

type Policy = (observation: Float32Array) => number | number[];

/** The return of an episode, and how it ended. */
function play(env: NamedEnvironment, seed: number, policy: Policy) {
  let { observation } = env.reset({ seed });
  let total = 0;
  for (let steps = 1; ; steps++) {
    const step = env.step(policy(observation));
    total += step.reward;
    observation = step.observation;
    if (step.terminated || step.truncated) return { total, steps, last: step.reward };
  }
}

function returnsOf(id: string, episodes: number, policyOf: (seed: number) => Policy): number[] {
  const env = make(id);
  return Array.from({ length: episodes }, (_, seed) => play(env, seed, policyOf(seed)).total);
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe.each([
  [DISCRETE, false],
  [CONTINUOUS, true],
])("%s", (id, continuous) => {
  it("is landed by the published heuristic with more than 200 points on average", () => {
    expect(mean(returnsOf(id, 100, () => (obs) => heuristic(obs, continuous)))).toBeGreaterThan(200);
  });

  it("gives random actions about -180 points on average, as published", () => {
    const randomly = (seed: number): Policy => {
      const random = new Random({ seed, stream: "test.actions" });
      return () => (continuous ? [2 * random.uniform() - 1, 2 * random.uniform() - 1] : random.integer(4));
    };
    const average = mean(returnsOf(id, 100, randomly));
    expect(average).toBeGreaterThan(-280);
    expect(average).toBeLessThan(-80);
  });
});
