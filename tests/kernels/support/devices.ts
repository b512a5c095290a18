/** The devices every device-independent suite runs on. */
import type { Device } from "../../../src/kernels/device.ts";
import { WasmDevice } from "../../../src/kernels/wasm/device.ts";

export interface TestDevice {
  readonly name: string;
  readonly create: () => Device | Promise<Device>;
}

export const devices: readonly TestDevice[] = [{ name: "wasm", create: () => new WasmDevice() }];
