/** What a device says when it fails. */
import { describe, expect, it } from "vitest";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { mockGpu } from "../support/mockGpu.ts";

async function open() {
  const mock = await mockGpu();
  return { ...mock, device: new WebGpuDevice(mock.gpu, "mock") };
}

describe("a device that fails", () => {
  it("says that it was lost", async () => {
    const { device, lose } = await open();
    lose("the driver was restarted");
    await Promise.resolve();
    expect(device.fault).toMatchObject({ kind: "lost" });
    await expect(device.idle()).rejects.toThrow("the device was lost (unknown): the driver was restarted");
  });

  it("says how much memory was asked for when there was too little", async () => {
    const { device, fail } = await open();
    device.heap.allocate(10 * 2 ** 20);
    expect(device.allocated).toBeGreaterThan(10 * 2 ** 20);
    fail("GPUOutOfMemoryError", "no room");
    expect(device.fault?.kind).toBe("out-of-memory");
    const mib = Math.ceil(device.allocated / 2 ** 20);
    await expect(device.idle()).rejects.toThrow(
      `out of GPU memory, with ${mib} MiB of buffers requested; use a smaller population`,
    );
  });

  it("says how much a run needs and how much there is before it asks for too much", async () => {
    const { device } = await open();
    device.heap.allocate(600 * 2 ** 20);
    expect(() => device.heap.allocate(600 * 2 ** 20)).toThrow(
      /^out of GPU memory: 1[12]\d\d MiB of buffers are needed, the device allows 1024 MiB; use a smaller/,
    );
    expect(device.fault).toBeNull();
  });

  it("tells refused commands from faults of the driver, and keeps to the first of them", async () => {
    const [refused, failed] = [await open(), await open()];
    refused.fail("GPUValidationError", "a binding is missing");
    refused.fail("GPUInternalError", "later");
    failed.fail("GPUInternalError", "compiler crashed");
    expect(refused.device.fault?.kind).toBe("validation");
    expect(failed.device.fault?.kind).toBe("internal");
    expect(() => refused.device.requireSound()).toThrow(/rejected a command.*a binding is missing/);
    expect(() => failed.device.requireSound()).toThrow(/driver failed.*compiler crashed/);
  });
});
