/** How many workgroups a device runs at once, by clocks of tests. */
import { describe, expect, it } from "vitest";
import { busyWorkgroups } from "../../../../src/kernels/webgpu.ts";
import { largestAtOnce } from "../../../../src/kernels/wgsl/busyWorkgroups.ts";
import { WebGpuDevice } from "../../../../src/kernels/wgsl/device.ts";
import { mockGpu } from "../../support/mockGpu.ts";

/** A device with so many places, on which a workgroup takes 5 ms; every third time something else disturbs. */
function device(places: number) {
  const asked: number[] = [];
  return {
    asked,
    time: async (workgroups: number) =>
      5 * Math.ceil(workgroups / places) + (asked.push(workgroups) % 3 === 0 ? 40 : 0),
  };
}

describe("workgroups at once", () => {
  it.each([
    [1, 1],
    [2, 4],
    [8, 16],
    [15, 16],
    [48, 64],
    [128, 256],
    [5000, 256],
  ])("of %i places are taken for %i", async (places, busy) => {
    expect(await largestAtOnce(device(places).time)).toBe(busy);
  });

  it("are not looked for beyond the first count that takes long", async () => {
    const { time, asked } = device(1);
    await largestAtOnce(time);
    expect(Math.max(...asked)).toBe(4);
  });

  it("are not measured where software takes the place of a GPU", async () => {
    const { gpu, counts } = await mockGpu();
    const device = new WebGpuDevice(gpu, "mock", { isSoftware: true });
    expect(await busyWorkgroups(device)).toBe(1);
    expect(counts.dispatches).toBe(0);
    device.close();
  });

  it("are measured once for a device, which keeps nothing of it", async () => {
    const { gpu, counts } = await mockGpu();
    const device = new WebGpuDevice(gpu, "mock");
    const before = device.bytes;
    const found = await busyWorkgroups(device);
    expect([1, 4, 16, 64, 256]).toContain(found);
    const { dispatches } = counts;
    expect(dispatches).toBeGreaterThan(0);
    expect(await busyWorkgroups(device)).toBe(found);
    expect(counts.dispatches).toBe(dispatches);
    expect(device.bytes).toBe(before);
    device.close();
  });
});
