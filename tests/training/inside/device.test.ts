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
  it("keeps members beside an environment that JavaScript steps, and says so", () => {
    expect(deviceIn(findEnvironment("LunarLander-v3"), "webgpu")).toEqual({
      device: "wasm",
      notice: "LunarLander-v3 is stepped in JavaScript, so its members train on wasm, not on webgpu",
    });
    expect(deviceIn(findEnvironment("LunarLander-v3"), "wasm")).toEqual({ device: "wasm", notice: null });
    expect(deviceIn(findEnvironment("LunarLander-v3"), "auto")).toEqual({ device: "wasm", notice: null });
  });

  it("leaves compiled environments where they were asked for", () => {
    expect(deviceIn(findEnvironment("CartPole-v1"), "webgpu")).toEqual({ device: "webgpu", notice: null });
  });
});
