import { Random } from "../../src/evolution/random.ts";
import { loadEnvironment, make } from "../../src/rl/environments.ts";
import type { Row } from "../harness/Row.ts";

const ID = "LunarLander-v3";
const STEPS = 60_000;

/** Steps per second over whole episodes of random actions, including resets. */
function stepsPerSecond(steps: number): number {
  const env = make(ID);
  const random = new Random({ seed: 1, stream: "bench.actions" });
  const start = performance.now();
  let taken = 0;
  for (let seed = 0; taken < steps; seed++) {
    env.reset({ seed });
    for (let ended = false; !ended; taken++) {
      const { terminated, truncated } = env.step(random.integer(4));
      ended = terminated || truncated;
    }
  }
  return (taken / (performance.now() - start)) * 1000;
}

export const lunarLander: Row = {
  name: "lunar-lander",
  title: `${ID}: random steps, resets included; one core`,
  figures: [{ name: "environment steps", unit: "steps/s", target: { at_least: 12_000 }, digits: 0 }],
  measure: async () => {
    await loadEnvironment(ID);
    // Warm-up, so that the engine optimises the code.
    stepsPerSecond(STEPS / 4);
    return [stepsPerSecond(STEPS)];
  },
};
