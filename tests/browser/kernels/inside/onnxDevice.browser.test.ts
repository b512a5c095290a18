/** onnxruntime's GPU provider on SwiftShader, strict: no operator may run on the CPU. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as k from "../../../../src/kernels/index.ts";
import { GpuMemory } from "../../../../src/kernels/onnx/GpuMemory.ts";
import "../../../../src/kernels/onnx/included.ts";
import { OnnxDevice } from "../../../../src/kernels/onnx/OnnxDevice.ts";
import { OnnxSession } from "../../../../src/kernels/onnx/OnnxSession.ts";
import { exportedOperations } from "../../../kernels/inside/support/exportedOperations.ts";
import { trainOn } from "../../../kernels/support/onnxTraining.ts";

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

  it("keeps truth values and integers, and runs calls that overlap one after the other", async () => {
    const n = k.sym("n");
    const program = k.trace("flags", () => {
      const [flags, count] = [
        k.state("flags", [n], { dtype: "bool" }),
        k.state("count", [n], { dtype: "i32" }),
      ];
      count.write(k.add(count.read(), k.add(k.cast(flags.read(), "i32"), 1)));
      flags.write(k.not(flags.read()));
    });
    const arenas = [3, 5].map((size) => {
      const arena = device.arena(program.states.values(), { n: size });
      arena.write(
        "flags",
        Array.from({ length: size }, (_, i) => i % 2),
      );
      const bound = device.compile(program).bind(arena);
      for (let i = 0; i < 3; i++) void bound.run();
      return arena;
    });
    const found = await Promise.all(arenas.flatMap((arena) => [arena.read("count"), arena.read("flags")]));
    expect(found.map((values) => [...values])).toEqual([
      [4, 5, 4],
      [-1, 0, -1],
      [4, 5, 4, 5, 4],
      [-1, 0, -1, 0, -1],
    ]);
    const before = device.bytes;
    for (const arena of arenas) arena.release();
    expect(device.bytes).toBeLessThan(before);
  });

  it("says when its GPU is lost, and others go on", async () => {
    const program = k.trace("double", () => {
      const x = k.state("x", [2]);
      x.write(k.mul(x.read(), 2));
    });
    const run = async (on: OnnxDevice) => {
      const arena = on.arena(program.states.values(), {});
      arena.write("x", [1, 3]);
      await on.compile(program).bind(arena).run();
      return { arena, found: [...(await arena.read("x"))] };
    };
    const lost = await OnnxDevice.open({ provider: "webgpu" });
    const { arena, found } = await run(lost);
    expect(found).toEqual([2, 6]);
    const { memory } = lost;
    if (!(memory instanceof GpuMemory)) throw new Error("the provider webgpu keeps states on the GPU");
    memory.gpu.destroy();
    await memory.gpu.lost;
    await expect(lost.compile(program).bind(arena).run()).rejects.toMatchObject({ kind: "lost" });
    expect(() => arena.write("x", [1])).toThrow(/webgpu: the device was lost/);
    lost.close();
    expect((await run(device)).found).toEqual([2, 6]);
    const again = await OnnxDevice.open({ provider: "webgpu" });
    expect((await run(again)).found).toEqual([2, 6]);
    again.close();
  });

  it("refuses a buffer beyond the GPU's limits by name, and others go on", async () => {
    const decl = { name: "huge", shape: [2 ** 31], dtype: "f32", shared: false } as const;
    expect(() => device.arena([decl], {})).toThrow(
      /^out of memory: needed 8192 MiB, found \d+ MiB; this GPU allows no larger buffer; use a smaller model or batch/,
    );
    const arena = device.arena([{ ...decl, shape: [2] }], {});
    arena.write("huge", [1, 2]);
    expect([...(await arena.read("huge"))]).toEqual([1, 2]);
    arena.release();
  });

  it("has all operations but those that its page names", async () => {
    const refused = new Set<string>();
    const tried = new Set<string>();
    for (const { operation, made } of exportedOperations()) {
      const { nodes } = made.program.region;
      const operations = new Set(nodes.map(({ op, dtype, rank }) => `${op.name} ${dtype} ${rank}`));
      const key = [...operations].sort().join();
      if (tried.has(key)) continue;
      tried.add(key);
      const session = new OnnxSession(made.program, { a: 5, b: 4, c: 7 });
      const create = (bytes: Uint8Array) =>
        device.runtime.InferenceSession.create(bytes, {
          ...device.memory.sessionOptions,
          logSeverityLevel: 4,
        });
      try {
        await session.open(create, () => undefined);
      } catch {
        refused.add(operation.name.replace(/ (of )?\[.*/, ""));
      }
      await session.release();
    }
    expect([...refused].sort()).toEqual([
      "argmax",
      "column of integers",
      "logic",
      "permute of integers and truth values",
      "select between numbers and tensors",
    ]);
    const program = k.trace("greedy", () => {
      k.state("best", [2], { dtype: "i32" }).write(k.argmax(k.state("x", [2, 3]).read()));
    });
    const arena = device.arena(program.states.values(), {});
    await expect(device.compile(program).bind(arena).run()).rejects.toThrow(
      /program greedy: onnxruntime rejected it on webgpu; its GPU provider does not support `or`, argmax/,
    );
  });
});
