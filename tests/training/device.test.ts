import { describe, expect, it } from "vitest";
import { resolveDevice } from "../../src/training/device.ts";

describe("resolveDevice", () => {
  it.each(["cpu", "wasm", "auto"])("takes %s for wasm", (name) => {
    expect(resolveDevice(name)).toBe("wasm");
  });

  it.each(["webgpu", "gpu", "cuda", "cuda:0"])("takes %s for the GPU", (name) => {
    expect(resolveDevice(name)).toBe("webgpu");
  });

  it("names what is allowed when a name is unknown", () => {
    expect(() => resolveDevice("tpu")).toThrow(
      'device: found "tpu"; allowed: "cpu", "wasm", "auto", "webgpu", "gpu", "cuda"',
    );
  });
});
