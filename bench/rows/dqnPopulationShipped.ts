import type { Row } from "../harness/Row.ts";
import { shippedDqn } from "../subjects/manifests.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";

export const dqnPopulationShipped: Row = {
  name: "dqn-population-shipped",
  title: "DQN x4, CartPole-v1, AgileRL's shipped dqn.yaml values (128 wide, batch 128, evolution); 2 workers",
  figures: [{ name: "generations 1 to 5", unit: "env steps/s", target: { at_least: 8000 }, digits: 0 }],
  measure: async (seed) => [await stepsPerSecond(shippedDqn(), seed, { skip: 0, generations: 5 })],
};
