/** Loops that issue the loads of several rounds together. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as k from "../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { softwareAdapter } from "../support/softwareAdapter.ts";

const n = k.sym("n");

/** Products with and without transposition and bias, and sums along rows, columns and everything. */
const sums = (): k.Program =>
  k.trace("sums", () => {
    const x = k.state("x", [n, n]).read();
    const y = k.state("y", [n, n]).read();
    const bias = k.state("bias", [n]).read();
    const write = (name: string, value: k.Tensor) => k.state(name, value.shape).write(value);
    write("plain", k.matmul(x, y, { bias }));
    write("leftTurned", k.matmul(x, y, { transposeA: true }));
    write("rightTurned", k.matmul(x, y, { transposeB: true }));
    write("rows", k.sum(k.mul(x, y), 1));
    write("rowMost", k.max(k.mul(x, y), 1));
    write("columns", k.sum(k.mul(x, y), 0));
    write("all", k.sum(k.mul(x, y)));
    write("scaled", k.standardize(x));
  });

const RESULTS = ["plain", "leftTurned", "rightTurned", "rows", "rowMost", "columns", "all", "scaled"];

describe("loads of several rounds", () => {
  let devices: WebGpuDevice[] = [];
  beforeAll(async () => {
    devices = await Promise.all(
      [1, 4].map(async (ahead) => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32, ahead })),
    );
  });
  afterAll(() => devices.forEach((device) => device.close()));

  async function results(device: WebGpuDevice, size: number): Promise<number[][]> {
    const program = sums();
    const executable = await device.compile(program);
    const arena = device.arena(program.states.values(), { n: size });
    const wave = (length: number, step: number) =>
      Array.from({ length }, (_, i) => Math.sin(1 + i * step) + 0.25);
    arena.write("x", wave(size * size, 3));
    arena.write("y", wave(size * size, 5));
    arena.write("bias", wave(size, 7));
    executable.bind(arena).run();
    const found = await Promise.all(RESULTS.map(async (name) => Array.from(await arena.read(name))));
    arena.release();
    return found;
  }

  it.each([1, 3, 4, 5, 8, 37])("gives the bits of one round after another, of width %i", async (size) => {
    const [one, four] = devices as [WebGpuDevice, WebGpuDevice];
    const found = await results(four, size);
    expect(found.flat().every(Number.isFinite)).toBe(true);
    expect(found.flat().some((value) => value !== 0)).toBe(true);
    expect(found).toEqual(await results(one, size));
  });

  it("writes other code for several rounds", async () => {
    const [one, four] = await Promise.all(devices.map((device) => device.compile(sums())));
    expect(four?.shader.code).toContain("_next[u]");
    expect(one?.shader.code).not.toContain("_next[u]");
  });
});
