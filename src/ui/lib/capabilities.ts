/** (func (drop (v128.const 0))): valid only where WebAssembly has SIMD. */
const SIMD_MODULE = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0],
  ...[10, 23, 1, 21, 0, 0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 0x0b],
]);

/** Whether this browser runs WebAssembly with SIMD, which training needs. */
export function hasWasmSimd(): boolean {
  return typeof WebAssembly === "object" && WebAssembly.validate(SIMD_MODULE);
}

/** Information about the WebGPU adapter, or null if there is none. */
export async function webgpuAdapter(): Promise<GPUAdapterInfo | null> {
  try {
    const adapter = await navigator.gpu?.requestAdapter();
    return adapter?.info ?? null;
  } catch {
    return null;
  }
}

/** Number of cores that training may use while the tab is visible; one is reserved for the page. */
export function trainingCores(): number {
  return Math.max(1, (navigator.hardwareConcurrency || 1) - 1);
}
