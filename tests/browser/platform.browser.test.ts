import { describe, expect, it } from "vitest";

/** What the other browser tests rely on; when one of these fails, look at the browser before the code. */
describe("the browser under test", () => {
  it("compiles WebAssembly with SIMD", () => {
    // (func (drop (v128.const 0)))
    const simdModule = [
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0],
      ...[10, 23, 1, 21, 0, 0xfd, 0x0c, ...new Array<number>(16).fill(0), 0x1a, 0x0b],
    ];
    expect(WebAssembly.validate(new Uint8Array(simdModule))).toBe(true);
  });

  it("has a WebGPU adapter", async () => {
    const adapter = await navigator.gpu.requestAdapter();
    expect(adapter?.limits.maxComputeInvocationsPerWorkgroup).toBeGreaterThanOrEqual(256);
  });

  it("keeps a file in the origin's private file system", async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle("platform-test", { create: true });
    const writer = await file.createWritable();
    await writer.write(new Uint8Array([1, 2, 3]));
    await writer.close();
    expect((await file.getFile()).size).toBe(3);
    await folder.removeEntry("platform-test");
  });
});
