import { WasmDevice } from "./device.ts";

let device: WasmDevice | undefined;

/**
 * The device shared by everything in this thread outside training runs, created on first use, so that equal
 * programs compile only once.
 * @throws Error where WebAssembly SIMD is missing.
 */
export function sharedDevice(): WasmDevice {
  device ??= new WasmDevice();
  return device;
}

/** An agent's device: "cpu" or its alias "wasm" for the thread's shared device, or a specific device. */
export type DeviceOption = "cpu" | "wasm" | WasmDevice;

/** @throws RangeError for an unknown name. */
export function deviceOf(option: DeviceOption): WasmDevice {
  if (option instanceof WasmDevice) return option;
  if (option === "cpu" || option === "wasm") return sharedDevice();
  throw new RangeError(`device: found ${JSON.stringify(option)}, allowed "cpu" or its alias "wasm"`);
}
