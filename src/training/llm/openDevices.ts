/** What members of language-model runs learn and act on. */
import { type Device, WasmDevice } from "../../kernels/index.ts";
import { openGpu } from "../../llm/engine/openGpu.ts";
import type { TrainingDevice } from "../loop/runState.ts";

export interface LlmDevices {
  /** Learns, and gives log-probabilities. */
  readonly learning: Device;
  /** Generates. */
  readonly acting: Device;
}

/**
 * The devices of a run. One device does both: on a CPU onnxruntime generated slower than wasm at every size that was
 * measured, 0.08M to 143M weights, a token in 1.8 to 5 times the time (docs/architecture/training.md, "Devices of language
 * models"). Agents take a device of its own for acting all the same.
 * @throws Error when there is no GPU for `webgpu`, or onnxruntime's files cannot be loaded.
 */
export async function openDevices(device: TrainingDevice): Promise<LlmDevices> {
  if (device === "wasm") {
    const wasm = new WasmDevice();
    return { learning: wasm, acting: wasm };
  }
  const gpu = await openGpu();
  return { learning: gpu, acting: gpu };
}
