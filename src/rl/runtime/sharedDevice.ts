import { WasmDevice } from "../../kernels/wasm/device.ts";

let device: WasmDevice | undefined;

/**
 * The device of all that runs in this thread outside a training run, made when first asked for: equal
 * programs compile once.
 * @throws Error where WebAssembly SIMD is missing.
 */
export function sharedDevice(): WasmDevice {
  device ??= new WasmDevice();
  return device;
}
