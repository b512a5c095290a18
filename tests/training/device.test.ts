import { describe, expect, it } from "vitest";
import { resolveDevice } from "../../src/training/device.ts";

describe("resolveDevice", () => {
  it.each(["cpu", "wasm", "auto"])("takes %s for wasm", (name) => {
    expect(resolveDevice(name)).toBe("wasm");
  });

  it.each(["webgpu", "gpu", "cuda", "cuda:0"])("never trains on the CPU when %s was asked for", (name) => {
    expect(() => resolveDevice(name)).toThrow(
      `device: found "${name}", and this build trains on the CPU with WebAssembly only; allowed: "cpu", "wasm", "auto"`,
    );
  });

  it("names what is allowed when a name is unknown", () => {
    expect(() => resolveDevice("tpu")).toThrow('device: found "tpu"; allowed: "cpu", "wasm", "auto"');
  });
});
