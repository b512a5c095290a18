import type { Row } from "../harness/Row.ts";
import { compareTimes } from "../harness/timing.ts";
import { requireSameLearning } from "../subjects/agreement.ts";
import { plainAgent, randomBatch } from "../subjects/dqnProblem.ts";
import { plainDqn } from "../subjects/plainDqn.ts";
import { wasmDqn } from "../subjects/wasmDqn.ts";

export const dqnStep: Row = {
  name: "dqn-step",
  title: "one DQN learning step, MLP 4-64-64-2, batch 64, Adam, target network; one core",
  figures: [
    { name: "rlkit, wasm", unit: "us", target: { at_most: 75 } },
    { name: "plain JavaScript loops over one Float32Array", unit: "us" },
    { name: "plain JavaScript / rlkit, side by side", unit: "x", target: { at_least: 8 }, digits: 2 },
  ],
  measure: async () => {
    const [agent, batch] = [plainAgent(), randomBatch()];
    const [wasm, plain] = [wasmDqn(agent, batch), plainDqn(agent, batch)];
    requireSameLearning(wasm, plain);
    const times = compareTimes(
      { run: wasm.step, options: { warmup: 3000, blocks: 30, calls: 200 } },
      { run: plain.step, options: { warmup: 500, blocks: 30, calls: 40 } },
    );
    return [times.first, times.second, times.ratio];
  },
};
