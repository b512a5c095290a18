import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KernelReport, mergeKernelReports } from "../../../src/kernels/devices.ts";
import * as k from "../../../src/kernels/index.ts";
import { textId } from "../../../src/kernels/programMeters.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { kernelReportSuite } from "../suites/kernelReports.ts";
import { devices } from "../support/devices.ts";
import { mockGpu } from "../support/mockGpu.ts";

for (const device of devices) kernelReportSuite(device);

describe("a GPU without timestamp-query", () => {
  it("counts runs and tells no time", async () => {
    const { gpu, counts } = await mockGpu();
    const device = new WebGpuDevice(gpu, "mock");
    const program = k.trace("one", () => k.state("s", [1]).write(k.add(k.state("s", [1]).read(), 1)));
    const arena = device.arena(program.states.values(), {});
    const bound = (await device.compile(program)).bind(arena);
    for (let i = 0; i < 3; i++) bound.run();
    await arena.read("s");
    expect(device.kernels()).toMatchObject([{ runs: 3, timed_runs: 0, time_ms: null }]);
    expect(counts).toMatchObject({ passes: 1, dispatches: 3, readBacks: 1 });
  });

  it("says that a program is being compiled until it is", async () => {
    const { gpu } = await mockGpu();
    const device = new WebGpuDevice(gpu, "mock");
    const compiling = device.compile(
      k.trace("none", () => k.state("s", [1]).write(k.zeros([1]))),
      3,
    );
    expect(device.kernels()).toMatchObject([
      { name: "none", members: [3], compile_ms: null, source: null, code_bytes: 0 },
    ]);
    await compiling;
    expect(device.kernels()[0]?.compile_ms).not.toBeNull();
  });
});

describe("merged reports", () => {
  const report: KernelReport = {
    id: "a",
    name: "turn",
    target: "wasm",
    structures: ["x"],
    members: [0, 3],
    code_bytes: 100,
    kernels: ["mul"],
    source: null,
    compile_ms: 4,
    copies: 1,
    runs: 10,
    timed_runs: 10,
    time_ms: 20,
  };

  it("are one entry for a program that several devices compiled", () => {
    const other = { ...report, structures: ["x", "y"], members: [1, 3], compile_ms: 6, runs: 5, time_ms: 7 };
    expect(mergeKernelReports([[report], [other]])).toEqual([
      {
        ...report,
        structures: ["x", "y"],
        members: [0, 1, 3],
        compile_ms: 10,
        copies: 2,
        runs: 15,
        timed_runs: 20,
        time_ms: 27,
      },
    ]);
  });

  it("keep programs and targets apart", () => {
    const lists = [[report, { ...report, id: "b" }], [{ ...report, target: "webgpu" as const }]];
    expect(mergeKernelReports(lists)).toEqual(lists.flat());
  });

  it("take the code from a device that has compiled already", () => {
    const compiling = { ...report, code_bytes: 0, kernels: [], compile_ms: null, runs: 0, timed_runs: 0 };
    for (const lists of [
      [[report], [compiling]],
      [[compiling], [report]],
    ])
      expect(mergeKernelReports(lists)).toMatchObject([{ code_bytes: 100, kernels: ["mul"], compile_ms: 4 }]);
  });

  it("have no time when no device can tell", () => {
    const untimed = { ...report, timed_runs: 0, time_ms: null };
    expect(mergeKernelReports([[untimed], [untimed]])[0]?.time_ms).toBeNull();
    expect(mergeKernelReports([[untimed], [report]])[0]).toMatchObject({ timed_runs: 10, time_ms: 20 });
  });
});

describe("names of texts", () => {
  it("are 16 hexadecimal digits that depend on the text alone", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(textId(text)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  it("differ between thousands of texts that are much alike", () => {
    const texts = Array.from({ length: 5000 }, (_, i) => `%1=mul %0 value=${i} f32[n]`);
    const ids = texts.map(textId);
    expect(new Set(ids).size).toBe(texts.length);
    // Each half alone tells nearly all apart, so together they are more than one hash.
    for (const half of [0, 8])
      expect(new Set(ids.map((id) => id.slice(half, half + 8))).size).toBeGreaterThan(4995);
  });
});
