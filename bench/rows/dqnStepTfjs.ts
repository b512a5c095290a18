import type { Row } from "../harness/Row.ts";
import { compareTimes } from "../harness/timing.ts";
import { requireSameLearning } from "../subjects/agreement.ts";
import { plainAgent, randomBatch } from "../subjects/dqnProblem.ts";
import { tfjsDqn } from "../subjects/tfjsDqn.ts";
import { wasmDqn } from "../subjects/wasmDqn.ts";

export const dqnStepTfjs: Row = {
  name: "dqn-step-tfjs",
  title: "the same step side by side with TensorFlow.js 4.22 (wasm backend, one thread)",
  figures: [
    { name: "rlkit, wasm", unit: "us" },
    { name: "TensorFlow.js, wasm", unit: "us" },
    { name: "TensorFlow.js / rlkit, side by side", unit: "x", target: { at_least: 26 } },
  ],
  measure: async () => {
    const [agent, batch] = [plainAgent(), randomBatch()];
    const [wasm, tfjs] = [wasmDqn(agent, batch), await tfjsDqn(agent, batch)];
    requireSameLearning(wasm, tfjs);
    const times = compareTimes(
      { run: wasm.step, options: { warmup: 3000, blocks: 20, calls: 200 } },
      { run: tfjs.step, options: { warmup: 300, blocks: 20, calls: 20 } },
    );
    return [times.first, times.second, times.ratio];
  },
};
