import type { Row } from "../harness/Row.ts";
import { held, shippedPpo } from "../subjects/manifests.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";

export const ppoPopulation: Row = {
  name: "ppo-population",
  title: "PPO x4, CartPole-v1, AgileRL's shipped ppo.yaml values; 2 workers",
  figures: [
    {
      name: "arch_mut 0, these values held, generations 2 to 6",
      unit: "env steps/s",
      target: { at_least: 170_000 },
      digits: 0,
    },
    {
      name: "arch_mut 0, the rest mutating, generations 2 to 6",
      unit: "env steps/s",
      target: { at_least: 170_000 },
      digits: 0,
    },
    {
      name: "with evolution, generations 1 to 20",
      unit: "env steps/s",
      target: { at_least: 100_000 },
      digits: 0,
    },
  ],
  measure: async (seed) => [
    await stepsPerSecond(held(shippedPpo(0)), seed, { skip: 1, generations: 5 }),
    await stepsPerSecond(shippedPpo(0), seed, { skip: 1, generations: 5 }),
    await stepsPerSecond(shippedPpo(0.2), seed, { skip: 0, generations: 20 }),
  ],
};
