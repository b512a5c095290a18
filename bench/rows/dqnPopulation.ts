import type { Row } from "../harness/Row.ts";
import { held, smallDqn } from "../subjects/manifests.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";

export const dqnPopulation: Row = {
  name: "dqn-population",
  title: "DQN x4, CartPole-v1, 64 wide, layer norm, batch 64, learn_step 4; 2 workers",
  figures: [
    {
      name: "arch_mut 0, these values held, generations 2 to 6",
      unit: "env steps/s",
      target: { at_least: 60_000 },
      digits: 0,
    },
    {
      name: "arch_mut 0, the rest mutating, generations 2 to 6",
      unit: "env steps/s",
      target: { at_least: 60_000 },
      digits: 0,
    },
    {
      name: "with evolution, generations 1 to 20",
      unit: "env steps/s",
      target: { at_least: 35_000 },
      digits: 0,
    },
  ],
  measure: async (seed) => [
    await stepsPerSecond(held(smallDqn(0)), seed, { skip: 1, generations: 5 }),
    await stepsPerSecond(smallDqn(0), seed, { skip: 1, generations: 5 }),
    await stepsPerSecond(smallDqn(0.2), seed, { skip: 0, generations: 20 }),
  ],
};
