import type { Device } from "../../kernels/index.ts";

/** onnxruntime takes the browser's GPU, and none that Node has. */
export const browserHasGpu = (): boolean => typeof navigator !== "undefined" && navigator.gpu !== undefined;

/**
 * A device of onnxruntime's GPU provider, whose files are loaded with the first one. Whoever opens it closes it.
 * @throws Error when there is no GPU, or the files cannot be loaded.
 */
export async function openGpu(): Promise<Device> {
  if (!browserHasGpu())
    throw new Error(
      'device: found "webgpu", which language models have in a browser with WebGPU only; allowed here: "cpu", "wasm"',
    );
  const { OnnxDevice } = await import("../../kernels/onnx/OnnxDevice.ts");
  return OnnxDevice.open({ provider: "webgpu" });
}
