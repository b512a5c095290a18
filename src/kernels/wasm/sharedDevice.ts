import { WasmDevice } from "./device.ts";

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

/** What an agent runs on: by name, "wasm" and its alias "cpu" being the thread's shared one, or one given. */
export type DeviceOption = "cpu" | "wasm" | WasmDevice;

/** @throws RangeError for another name. */
export function deviceOf(option: DeviceOption): WasmDevice {
  if (option instanceof WasmDevice) return option;
  if (option === "cpu" || option === "wasm") return sharedDevice();
  throw new RangeError(`device: found ${JSON.stringify(option)}, allowed "cpu" or its alias "wasm"`);
}
