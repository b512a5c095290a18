import type { Device } from "../../kernels/index.ts";

/** Whether WebGPU is available in this browser. onnxruntime cannot use a GPU in Node. */
export const browserHasGpu = (): boolean => typeof navigator !== "undefined" && navigator.gpu !== undefined;

/**
 * Opens a device of onnxruntime's WebGPU provider, loading its files on first use. The caller must close it.
 * @throws Error if there is no GPU, or the files cannot be loaded.
 */
export async function openGpu(): Promise<Device> {
  if (!browserHasGpu())
    throw new Error(
      'device: found "webgpu", which language models support only in a browser with WebGPU; allowed here: "cpu", "wasm"',
    );
  const { OnnxDevice } = await import("../../kernels/onnx/OnnxDevice.ts");
  return OnnxDevice.open({ provider: "webgpu" });
}
