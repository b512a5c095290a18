/** The devices every device-independent suite runs on. */

import { WasmDevice } from "../../../src/kernels/devices.ts";
import type { Device } from "../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { softwareAdapter } from "./softwareAdapter.ts";

export interface TestDevice {
  readonly name: string;
  readonly create: () => Device | Promise<Device>;
  /** Whether it keeps numbers below 1.18e-38; WGSL lets devices take them for 0. */
  readonly subnormals: boolean;
  /** Below 1 it runs a part of the random programs and of the matrix products: SwiftShader takes about a hundred times as long. */
  readonly share: number;
}

export const devices: readonly TestDevice[] = [
  { name: "wasm", create: () => new WasmDevice(), subnormals: true, share: 1 },
  {
    name: "webgpu",
    create: async () => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 }),
    subnormals: false,
    share: 0.1,
  },
];
