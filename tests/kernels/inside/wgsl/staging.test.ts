/** Matrices that a loop only reads, in workgroup memory where there is room. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import * as k from "../../../../src/kernels/index.ts";
import { planStaged } from "../../../../src/kernels/lowering/placement.ts";
import { WebGpuDevice } from "../../../../src/kernels/wgsl/device.ts";
import { shaderOf } from "../../../../src/kernels/wgsl/shader.ts";
import { softwareAdapter } from "../../support/softwareAdapter.ts";

const n = k.sym("n");

/** Two layers through 4 steps. The second one's weights change in the loop, which goes on with what they were. */
const layers = (): k.Program =>
  k.trace("layers", () => {
    const x = k.state("x", [5, n]);
    const weights = k.state("weights", [n, 7]);
    const changing = k.state("changing", [7, n]);
    const bias = k.state("bias", [7]);
    const [w, v] = [weights.read(), changing.read()];
    const { carry } = k.scan({ count: 4, carry: [x.read()] }, ([h]) => {
      const hidden = k.tanh(k.matmul(h as k.Tensor, w, { bias: bias.read() }));
      const { carry: inner } = k.scan({ count: 2, carry: [hidden] }, ([y]) => ({
        carry: [k.tanh(k.matmul(k.matmul(y as k.Tensor, v), w))],
      }));
      changing.write(k.mul(changing.read(), 2));
      return { carry: [k.matmul(inner[0] as k.Tensor, v)] };
    });
    x.write(carry[0] as k.Tensor);
  });

const contents = (size: number) => {
  const wave = (length: number, step: number) =>
    Array.from({ length }, (_, i) => (((i * step) % 17) - 8) / (8 * Math.sqrt(size)));
  return {
    x: wave(5 * size, 3),
    weights: wave(7 * size, 5),
    changing: wave(7 * size, 7),
    bias: wave(7, 11),
  };
};

describe("matrices in workgroup memory", () => {
  let device: WebGpuDevice;
  let none: WebGpuDevice;
  let small: WebGpuDevice;
  beforeAll(async () => {
    device = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32, stagingBytes: 16_000 });
    none = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
    small = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32, stagingBytes: 400 });
  });
  afterAll(() => {
    device.close();
    none.close();
    small.close();
  });

  /** `x` afterwards, in dispatches of so many units of work. */
  async function onGpu(gpu: WebGpuDevice, size: number, units: number): Promise<number[]> {
    const program = layers();
    const executable = await gpu.compile(program);
    const arena = gpu.arena(program.states.values(), { n: size });
    for (const [name, values] of Object.entries(contents(size))) arena.write(name, values);
    const cohort = gpu.cohort([executable.bind(arena)]);
    cohort.start([1]);
    for (let left = 1; left > 0; ) {
      cohort.advance(units);
      const [copy] = await gpu.readMany([cohort.records]);
      left = cohort.progressIn(copy as ArrayBuffer)[0]?.left ?? 0;
    }
    const result = Array.from(await arena.read("x"));
    arena.release();
    return result;
  }

  function onWasm(size: number): number[] {
    const program = layers();
    const wasm = new WasmDevice();
    const executable = wasm.compile(program);
    const arena = wasm.arena(program.states.values(), { n: size });
    for (const [name, values] of Object.entries(contents(size))) arena.write(name, values);
    executable.bind(arena).run();
    return Array.from(arena.read("x"));
  }

  it.each([3, 8, 33, 130])("gives what wasm gives, of width %i", async (size) => {
    const expected = onWasm(size);
    const found = await onGpu(device, size, 1e9);
    expect(found.every(Number.isFinite)).toBe(true);
    found.forEach((value, i) => {
      expect(Math.abs(value - (expected[i] as number))).toBeLessThan(
        1e-6 + 1e-4 * Math.abs(expected[i] as number),
      );
    });
  });

  it.each([3, 33, 130])(
    "gives the same bits with room for none or some of them, of width %i",
    async (size) => {
      const staged = await onGpu(device, size, 1e9);
      expect(await onGpu(small, size, 1e9)).toEqual(staged);
      expect(await onGpu(none, size, 1e9)).toEqual(staged);
    },
  );

  it.each([1, 3, 10])(
    "gives the same bits when the loop is left after %i units and entered again",
    async (units) => {
      expect(await onGpu(device, 33, units)).toEqual(await onGpu(device, 33, 1e9));
    },
  );

  it("are staged once before the outermost loop that leaves them, as far as they fit", () => {
    const { code, table } = shaderOf(layers(), { workgroupSize: 32, stagingBytes: 4096 });
    const stage = /fn (k\d+)\(to: i32, source: i32, rows/.exec(code)?.[1];
    // Both weights before the outer loop; an inner one stages nothing anew.
    expect(code.split(`\n${stage}(`)).toHaveLength(3);
    // Places begin at whole vectors.
    const placed = (size: number, room: number) => [...planStaged(table, { n: size }, room).values()];
    expect(placed(3, 4096)).toEqual([0, 3 * 40 + 8]);
    expect(placed(33, 2048)).toEqual([0]);
    expect(placed(130, 2048)).toEqual([]);
  });

  it("stay in the heap where no loop reads them", () => {
    const program = k.trace("product", () => {
      const x = k.state("x", [n, n]);
      x.write(k.matmul(x.read(), x.read()));
    });
    const { code } = shaderOf(program, { workgroupSize: 32, stagingBytes: 4096 });
    expect(code).not.toContain("matrices");
  });
});
