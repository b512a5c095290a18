/** WebGPU in Node: Dawn on SwiftShader, which comes with Chromium. Proves results, not speed. */
import { existsSync } from "node:fs";

const ICD = "/usr/lib/chromium/vk_swiftshader_icd.json";

let gpu: Promise<GPU> | null = null;

/**
 * While anything is under way Dawn asks for its events in a loop without pause, by `setImmediate`, which takes a whole
 * core as long as SwiftShader compiles or computes on another. Asked every millisecond it says as much. Only Dawn's own
 * calls, which are native functions, are put off.
 */
function calmEventLoop(): void {
  const [immediately, later] = [globalThis.setImmediate, globalThis.setTimeout];
  const calm = (callback: (...args: unknown[]) => void, ...args: unknown[]): unknown =>
    String(callback).includes("[native code]") ? later(callback, 1, ...args) : immediately(callback, ...args);
  Object.assign(globalThis, { setImmediate: Object.assign(calm, immediately) });
}

async function openGpu(): Promise<GPU> {
  if (!process.env.VK_ICD_FILENAMES && existsSync(ICD)) process.env.VK_ICD_FILENAMES = ICD;
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  calmEventLoop();
  return create(["enable-dawn-features=disable_robustness"]);
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
