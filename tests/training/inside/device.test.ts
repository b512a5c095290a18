import { describe, expect, it } from "vitest";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { deviceIn } from "../../../src/training/executors/device.ts";
import { resolveDevice } from "../../../src/training/executors.ts";

describe("resolveDevice", () => {
  it.each(["cpu", "wasm"])("takes %s for wasm", (name) => {
    expect(resolveDevice(name)).toBe("wasm");
  });

  it.each(["webgpu", "gpu", "cuda", "cuda:0"])("takes %s for the GPU", (name) => {
    expect(resolveDevice(name)).toBe("webgpu");
  });

  it("leaves auto to be settled when the run starts", () => {
    expect(resolveDevice("auto")).toBe("auto");
  });

  it("names what is allowed when a name is unknown", () => {
    expect(() => resolveDevice("tpu")).toThrow(
      'device: found "tpu"; allowed: "cpu", "wasm", "auto", "webgpu", "gpu", "cuda"',
    );
  });
});

describe("deviceIn", () => {
  it.each(["CartPole-v1", "LunarLander-v3"])("leaves members in %s where they were asked for", (id) => {
    for (const asked of ["wasm", "auto", "webgpu"] as const)
      expect(deviceIn(findEnvironment(id), asked)).toEqual({ device: asked, notice: null });
  });

  it("keeps members in a user's module on wasm, and says so", () => {
    const module = { ...findEnvironment("LunarLander-v3"), id: "user/balance", module: {} };
    expect(deviceIn(module, "webgpu")).toEqual({
      device: "wasm",
      notice: "user/balance runs in a sandbox, so its members train on wasm, not on webgpu",
    });
    for (const asked of ["wasm", "auto"] as const)
      expect(deviceIn(module, asked)).toEqual({ device: "wasm", notice: null });
  });
});
