/** Finds the GPU: the browser's, or in Node that of the package "webgpu" (Dawn), if it is installed. */
import { importOptional, installCommand } from "../optionalPackage.ts";
import type { WebGpuDevice, WebGpuOptions } from "./device.ts";

const ADVICE = `use a browser with WebGPU (Chrome or Edge 113, Safari 26, Firefox 141, or later), or in Node install the package "webgpu" (${installCommand("webgpu")}) and a Vulkan driver, or train with device "wasm"`;

interface Dawn {
  readonly create: (flags: readonly string[]) => GPU;
  readonly globals: object;
}

/** Dawn's instance must outlive its devices. */
let dawn: Promise<GPU> | null = null;

async function openDawn(): Promise<GPU> {
  const { create, globals } = (await importOptional("webgpu", "GPUs in Node")) as Dawn;
  Object.assign(globalThis, globals);
  return create([]);
}

async function findGpu(): Promise<GPU> {
  if (typeof navigator !== "undefined" && navigator.gpu) return navigator.gpu;
  if (typeof process === "undefined" || !process.versions?.node)
    throw new Error(`WebGPU is not available here; ${ADVICE}`);
  dawn ??= openDawn();
  try {
    return await dawn;
  } catch (cause) {
    dawn = null;
    throw new Error(`WebGPU is not available here; ${ADVICE}`, { cause });
  }
}

/** @throws Error with advice when there is no adapter. */
export async function findAdapter(): Promise<GPUAdapter> {
  const adapter = await (await findGpu()).requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error(`no WebGPU adapter was found; ${ADVICE}`);
  return adapter;
}

/** Opens the machine's GPU. @throws Error with advice when there is none. */
export async function openGpu(options: WebGpuOptions = {}): Promise<WebGpuDevice> {
  const adapter = await findAdapter();
  // Most machines train without a GPU: pages load this module with the first run that uses one.
  const { WebGpuDevice: Device } = await import("./device.ts");
  return Device.create(adapter, options);
}
