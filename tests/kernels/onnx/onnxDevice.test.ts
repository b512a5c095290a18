/** onnxruntime's CPU provider as a device: against the reference evaluator, and against the wasm device. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import { OnnxDevice } from "../../../src/kernels/onnx/OnnxDevice.ts";
import { exportedOperations } from "../inside/support/exportedOperations.ts";
import { deviceSuite } from "../suites/devices.ts";
import { trainOn } from "../support/onnxTraining.ts";
import { operationValues, symbolic } from "../support/operationProgram.ts";
import { runOnDevice, runOnReference } from "../support/run.ts";
import { runTransformer } from "../support/tinyTransformer.ts";

const create = () => OnnxDevice.open({ provider: "cpu" });

deviceSuite({ name: "onnx", create, subnormals: true, share: 1 });

describe("operations and their gradients on onnx", () => {
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());

  const exported = exportedOperations();
  it.each(exported.map(({ operation, made }) => [operation.name, operation, made] as const))(
    "%s",
    async (_name, operation, made) => {
      for (const binding of [
        { a: 1, b: 3, c: 2 },
        { a: 5, b: 4, c: 7 },
      ]) {
        const initial = operationValues(operation, made, symbolic, binding, 3);
        const expected = runOnReference(made.program, binding, initial);
        const found = await runOnDevice(device, made.program, binding, initial);
        for (const [name, values] of Object.entries(expected)) {
          const scale = Math.max(1, ...values.map(Math.abs).filter(Number.isFinite));
          values.forEach((want, i) => {
            const value = found[name]?.[i] ?? Number.NaN;
            const off = value === want ? 0 : Math.abs(value - want);
            expect(off, `${name}[${i}] = ${value} beside ${want}`).toBeLessThanOrEqual(2e-5 * scale);
          });
        }
      }
    },
  );
});

const width = k.sym("width");

describe("training on onnx", () => {
  it("gives the losses and weights of the wasm device, with members that share a base", async () => {
    const device = await create();
    const [found, expected] = [await trainOn(device), await trainOn(new k.WasmDevice())];
    for (const [name, values] of Object.entries(expected))
      values.forEach((value, i) => expect(found[name]?.[i], `${name}[${i}]`).toBeCloseTo(value, 4));
    expect(found["loss 0 29 0"]?.[0]).toBeLessThan(0.5 * (found["loss 0 0 0"]?.[0] ?? 0));
    // One for each size of a batch, whatever the member.
    expect(device.sessions).toBe(2);
    device.close();
  });
});

describe("a transformer on onnx", () => {
  it("learns and decodes as on the wasm device", async () => {
    const device = await create();
    const [found, expected] = [await runTransformer(device), await runTransformer(new k.WasmDevice())];
    for (const [name, values] of Object.entries(expected))
      values.forEach((value, i) => expect(found[name]?.[i], `${name}[${i}]`).toBeCloseTo(value, 4));
    expect(found["loss 3"]).not.toEqual(found["loss 0"]);
    device.close();
  });
});

const counter = (): k.Program =>
  k.trace("counter", () => {
    const count = k.state("count", [width]);
    count.write(k.add(count.read(), k.state("step").read()));
  });

describe("sessions of an onnx device", () => {
  it("run in the order of the calls, also when nobody waits for them", async () => {
    const [one, two] = [await create(), await create()];
    const arenas = [one, two].map((device) => {
      const program = counter();
      const arena = device.arena(program.states.values(), { width: 2 });
      const bound = device.compile(program).bind(arena);
      arena.write("step", [1]);
      void bound.run();
      arena.write("step", [10]);
      void bound.run();
      void bound.run();
      arena.write("count", [0]);
      void bound.run();
      return arena;
    });
    for (const arena of arenas) expect([...(await arena.read("count"))]).toEqual([10, 31]);
    for (const device of [one, two]) device.close();
  });

  it("are dropped when not asked for lately, and made again for a program that is bound", async () => {
    const device = await create();
    const program = counter();
    const arena = device.arena(program.states.values(), { width: 1, unused: 3 });
    const bound = device.compile(program).bind(arena);
    arena.write("step", [2]);
    await bound.run();
    expect(device.sessions).toBe(1);
    device.compile(program).bind(device.arena(program.states.values(), { width: 1, unused: 4 }));
    expect(device.sessions).toBe(1);
    for (let age = 0; age < 10; age++) device.age();
    expect(device.sessions).toBe(0);
    await bound.run();
    expect(device.sessions).toBe(1);
    expect([...(await arena.read("count"))]).toEqual([4]);
    device.close();
    expect(() => device.compile(program)).toThrow(/used after it was closed/);
    expect(() => bound.run()).toThrow(/after its arena's release/);
  });

  it("fail by themselves: what is called later still runs", async () => {
    const device = await create();
    const rows = k.trace("rows", () => {
      const index = k.state("index", [1], { dtype: "i32" }).read();
      k.state("row", [1]).write(k.takeRows(k.state("table", [3]).read(), index));
    });
    const places = device.arena(rows.states.values(), {});
    places.write("table", [4, 5, 6]);
    const bound = device.compile(rows).bind(places);
    places.write("index", [7]);
    const failing = bound.run().catch(String);
    places.write("index", [2]);
    await bound.run();
    expect(await failing).toMatch(/indices element out of data bounds/);
    expect([...(await places.read("row"))]).toEqual([6]);
    device.close();
  });

  it("have arenas that take truth values only all at once", async () => {
    const device = await create();
    const arena = device.arena([{ name: "mask", shape: [3], dtype: "bool", shared: false }], {});
    expect(() => arena.write("mask", [1, 0])).toThrow(/mask holds 3 bools, found 2; write all of them/);
    arena.write("mask", [2, 0, -1]);
    expect([...(await arena.read("mask"))]).toEqual([-1, 0, -1]);
    device.close();
  });

  it("are refused for programs with loops, and arenas of other devices", async () => {
    const device = await create();
    const program = k.trace("loop", () => {
      const { carry } = k.scan({ count: 3, carry: [k.state("x").read()] }, ([x]) => ({
        carry: [k.mul(x as k.Tensor, 2)],
      }));
      k.state("x").write(carry[0] as k.Tensor);
    });
    const looping = device.arena(program.states.values(), {});
    expect(() => device.compile(program).bind(looping)).toThrow(/ONNX export of loop: found a loop/);
    const working = counter();
    const arena = device.arena(working.states.values(), { width: 1 });
    const other = new k.WasmDevice().arena(working.states.values(), { width: 1 });
    expect(() => device.compile(working).bind(other)).toThrow(/the arena belongs to another device/);
    arena.write("step", [3]);
    await device.compile(working).bind(arena).run();
    expect([...(await arena.read("count"))]).toEqual([3]);
    expect(device.kernels()).toMatchObject([
      { name: "loop", runs: 0 },
      { name: "counter", target: "onnx", runs: 1 },
    ]);
    device.close();
  });
});
