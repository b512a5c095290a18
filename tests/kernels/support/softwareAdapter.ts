/** WebGPU in Node: Dawn on SwiftShader, which comes with Chromium. Proves results, not speed. */
import { existsSync } from "node:fs";

const ICD = "/usr/lib/chromium/vk_swiftshader_icd.json";

let gpu: Promise<GPU> | null = null;

async function openGpu(): Promise<GPU> {
  if (!process.env.VK_ICD_FILENAMES && existsSync(ICD)) process.env.VK_ICD_FILENAMES = ICD;
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  return create([]);
}

/** @throws Error that says what is missing on this machine. */
export async function softwareAdapter(): Promise<GPUAdapter> {
  gpu ??= openGpu();
  const adapter = await (await gpu).requestAdapter();
  if (!adapter) {
    throw new Error(
      "no WebGPU adapter in Node: install a Vulkan loader and driver (Debian: apt-get install chromium libvulkan1), or set VK_ICD_FILENAMES to a driver's JSON file",
    );
  }
  return adapter;
}
