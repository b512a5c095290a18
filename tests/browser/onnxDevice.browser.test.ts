/** onnxruntime's GPU provider on SwiftShader, strict: no operator may run on the CPU. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as k from "../../src/kernels/index.ts";
import { OnnxDevice } from "../../src/kernels/onnx/device/OnnxDevice.ts";
import { trainOn } from "../kernels/support/onnxTraining.ts";

describe("onnxruntime on WebGPU", () => {
  let device: OnnxDevice;
  beforeAll(async () => {
    device = await OnnxDevice.open({ provider: "webgpu" });
  });
  afterAll(() => device.close());

  it("gives the losses and weights of the wasm device, with members that share a base", async () => {
    const [found, expected] = [await trainOn(device), await trainOn(new k.WasmDevice())];
    for (const [name, values] of Object.entries(expected))
      values.forEach((value, i) => expect(found[name]?.[i], `${name}[${i}]`).toBeCloseTo(value, 4));
  });
});
