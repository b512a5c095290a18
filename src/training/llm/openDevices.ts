/** What members of language-model runs learn and act on. */
import { type Device, WasmDevice } from "../../kernels/index.ts";
import type { TrainingDevice } from "../loop/runState.ts";

export interface LlmDevices {
  /** Learns, and gives log-probabilities. */
  readonly learning: Device;
  /** Generates. */
  readonly acting: Device;
}

/**
 * The devices of a run. One device does both.
 *
 * On a CPU that is wasm at every size of a model, since onnxruntime's CPU provider was slower at each that was measured (one
 * thread of a Xeon, milliseconds, wasm / onnxruntime, prompts of 16 to 64 tokens and one token more):
 *
 * | weights | rows | prompts | one token |
 * |---|---|---|---|
 * | 0.08M | 128 | 26 / 63 | 2.1 / 10.8 |
 * | 1.0M | 64 | 266 / 482 | 9.1 / 38 |
 * | 4.5M | 32 | 1,104 / 1,679 | 28 / 78 |
 * | 22M | 16 | 2,244 / 2,387 | 55 / 98 |
 * | 71M | 8 | 2,197 / 3,328 | 77 / 177 |
 * | 143M | 4 | 1,654 / 3,440 | 168 / 403 |
 *
 * An iteration of the template "next digit (GRPO)" takes 23 ms, 3 of them for acting; acting on onnxruntime takes 36. Agents
 * take a device of its own for acting all the same (`AgentOnDevice`).
 *
 * @throws Error when there is no GPU for `webgpu`, or onnxruntime's files cannot be loaded.
 */
export async function openDevices(device: TrainingDevice): Promise<LlmDevices> {
  if (device === "wasm") {
    const wasm = new WasmDevice();
    return { learning: wasm, acting: wasm };
  }
  // Loaded by those who train there alone.
  const { OnnxDevice } = await import("../../kernels/onnx/OnnxDevice.ts");
  const gpu = await OnnxDevice.open({ provider: "webgpu" });
  return { learning: gpu, acting: gpu };
}
