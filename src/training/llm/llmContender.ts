/** Compares the GPU with WebAssembly for language models, by the time of a generation. */
import type { GpuContender } from "../executors/GpuContender.ts";
import type { Executor } from "../loop/executor.ts";
import type { LlmKinds } from "./kinds.ts";
import type { millisecondsOf } from "./millisecondsOf.ts";

const inSeconds = (ms: number): string => `${(ms / 1000).toPrecision(2)} s a generation`;

/** Loaded dynamically, because it is needed only if there is a GPU to measure. */
const measured: typeof millisecondsOf = async (...run) =>
  (await import("./millisecondsOf.ts")).millisecondsOf(...run);

/**
 * @param gpu Executor that trains on the GPU.
 * @param timeOf Measures the milliseconds of a generation.
 */
export const llmContender = (
  gpu: Executor<LlmKinds>,
  timeOf: typeof millisecondsOf = measured,
): GpuContender<LlmKinds> => ({
  // onnxruntime selects the adapter itself.
  executorOn: async () => gpu,
  async compare({ setup, turns, wasm, measure }) {
    const onGpu = await measure(gpu, () => timeOf(gpu, setup, turns));
    const onWasm = await measure(wasm, () => timeOf(wasm, setup, turns));
    const [gpuTime, wasmTime] = [inSeconds(onGpu), inSeconds(onWasm)];
    return onGpu < onWasm
      ? { gpu, reason: `it takes about ${gpuTime} here, and WebAssembly ${wasmTime}` }
      : { gpu: null, reason: `it takes about ${wasmTime} here, and the GPU ${gpuTime}` };
  },
});
