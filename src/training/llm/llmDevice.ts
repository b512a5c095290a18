import { browserHasGpu } from "../../llm/members.ts";
import type { AskedDevice, DeviceChoice } from "../loop/WorkloadDefinition.ts";

/**
 * The device that a language-model run trains on when `asked` is requested.
 * @throws Error for "webgpu" outside a browser with WebGPU.
 */
export function llmDeviceIn(asked: AskedDevice): DeviceChoice {
  if (asked === "wasm" || browserHasGpu()) return { device: asked, notice: null };
  if (asked === "auto") return { device: "wasm", notice: null };
  throw new Error(
    'device: found "webgpu", which trains language models in a browser with WebGPU only; allowed here: "cpu", "wasm", "auto"',
  );
}
