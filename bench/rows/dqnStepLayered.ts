import type { Row } from "../harness/Row.ts";
import { timePerCall } from "../harness/timing.ts";
import { layeredAgent, randomBatch } from "../subjects/dqnProblem.ts";
import { wasmDqn } from "../subjects/wasmDqn.ts";

export const dqnStepLayered: Row = {
  name: "dqn-step-layered",
  title: "one DQN learning step, encoder [64], latent 64, head [64], layer norm, batch 64; one core",
  figures: [{ name: "rlkit, wasm", unit: "us", target: { at_most: 140 } }],
  measure: async () => {
    const learner = wasmDqn(layeredAgent(), randomBatch());
    return [timePerCall(learner.step, { warmup: 3000, blocks: 30, calls: 200 })];
  },
};
