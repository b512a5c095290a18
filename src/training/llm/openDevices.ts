/** Devices that members of language-model runs learn and act on. */
import { type Device, WasmDevice } from "../../kernels/index.ts";
import { openGpu } from "../../llm/members.ts";
import type { TrainingDevice } from "../loop/runState.ts";

export interface LlmDevices {
  /** Device for learning and for log-probabilities. */
  readonly learning: Device;
  /** Device for generation. */
  readonly acting: Device;
}

/**
 * Opens the devices of a run. One device is used for both. On a CPU, onnxruntime generated more slowly than
 * wasm at every size that was measured (0.08M to 143M weights): a token took 1.8 to 5 times as long
 * (docs/architecture/training.md, "Devices of language models"). Agents nevertheless support a separate
 * device for acting.
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
