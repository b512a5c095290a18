/** A device's compiled programs, bindings and buffers. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";
import { runOnReference } from "../support/run.ts";

const batch = k.sym("batch");
const width = k.sym("width");

/** One step of gradient descent on a network with one hidden layer. */
const learningStep = (): k.Program =>
  k.trace("learn", () => {
    const x = k.state("x", [batch, 3]).read();
    const [w1, b1, w2] = [k.state("w1", [3, width]), k.state("b1", [width]), k.state("w2", [width, 2])];
    const values = [w1, b1, w2].map((s) => s.read());
    const hidden = k.maximum(
      k.standardize(k.matmul(x, values[0] as k.Tensor, { bias: values[1] as k.Tensor })),
      0,
    );
    const loss = k.meanAll(k.square(k.sub(k.matmul(hidden, values[2] as k.Tensor), 1)));
    k.state("loss").write(loss);
    k.grad(loss, values).forEach((g, i) => {
      [w1, b1, w2][i]?.write(k.sub(values[i] as k.Tensor, k.mul(g, 0.1)));
    });
  });

const wave = (length: number, phase: number): number[] =>
  Array.from({ length }, (_, i) => Math.fround(Math.sin(12.9898 * i + phase) / 2));

export function deviceSuite({ name, create }: TestDevice): void {
  describe(`device ${name}`, () => {
    let device: Device;
    beforeEach(async () => {
      device = await create();
    });
    afterEach(() => device.close());

    it("serves every width with one compiled program", async () => {
      const program = learningStep();
      const executable = await device.compile(program);
      for (let size = 1; size <= 70; size++) {
        const binding = { batch: 1 + ((size * 7) % 11), width: size };
        const initial = {
          x: wave(binding.batch * 3, 1),
          w1: wave(3 * size, 2),
          b1: wave(size, 3),
          w2: wave(2 * size, 4),
        };
        const expected = runOnReference(program, binding, initial);
        const arena = device.arena(program.states.values(), binding);
        for (const [buffer, values] of Object.entries(initial)) arena.write(buffer, values);
        const bound = executable.bind(arena);
        await bound.run();
        for (const [buffer, values] of Object.entries(expected)) {
          const found = await arena.read(buffer);
          const error = Math.max(...values.map((v, i) => Math.abs(v - (found[i] ?? Number.NaN))));
          expect(error, `width ${size}, buffer ${buffer}`).toBeLessThan(2e-5);
        }
        bound.release();
        arena.release();
        expect(await device.compile(learningStep())).toBe(executable);
      }
    });

    it("keeps members apart that run the same program in turn", async () => {
      const program = k.trace("count", () => {
        const s = k.state("s", [width]);
        const noise = k.mul(s.read(), 3);
        s.write(k.add(s.read(), k.sub(noise, k.mul(s.read(), 3))));
        s.write(k.add(s.read(), 1));
      });
      const executable = await device.compile(program);
      const members = [1, 5, 64, 3].map((size) => device.arena(program.states.values(), { width: size }));
      const bound = members.map((arena) => executable.bind(arena));
      for (let round = 0; round < 3; round++)
        for (const [i, b] of bound.entries()) for (let times = 0; times <= i; times++) await b.run();
      for (const [i, arena] of members.entries())
        expect(new Set(await arena.read("s"))).toEqual(new Set([3 * (i + 1)]));
    });

    it("runs a program for parts of a member, with symbols of their own", async () => {
      const [part, size] = [k.sym("part"), k.sym("size")];
      const program = k.trace("part", () => {
        const own = k.reshape(k.dimValue(part, "i32"), [1]);
        const total = k.sumAll(k.mul(k.cast(k.iota(size), "f32"), k.state("x").read()));
        k.state("totals", [width]).writeRows(own, k.reshape(total, [1]));
      });
      const executable = await device.compile(program);
      const arena = device.arena(program.states.values(), { width: 3 });
      arena.write("x", [2]);
      const sizes = [5, 1, 70];
      const parts = sizes.map((size, part) => executable.bind(arena, { part, size }));
      for (const bound of parts) await bound.run();
      expect([...(await arena.read("totals"))]).toEqual(sizes.map((size) => size * (size - 1)));
      for (const bound of parts) bound.release();
      expect(() => executable.bind(arena, { part: 0 })).toThrow(/"size" is not bound/);
    });

    it("lets members share a buffer", async () => {
      const program = k.trace("push", () => {
        const memory = k.state("memory", [4], { shared: true });
        memory.writeRows(k.state("at", [1], { dtype: "i32" }).read(), k.state("value", [1]).read());
        k.state("seen").write(k.sumAll(memory.read()));
      });
      const all = [...program.states.values()];
      const shared = device.arena(
        all.filter((s) => s.shared),
        {},
      );
      const executable = await device.compile(program);
      for (const [i, value] of [10, 20, 30].entries()) {
        const arena = device.arena(all, {}, shared);
        arena.write("at", [i]);
        arena.write("value", [value]);
        await executable.bind(arena).run();
      }
      expect([...(await shared.read("memory"))]).toEqual([10, 20, 30, 0]);
    });

    it("starts buffers at zero, also where others lay before", async () => {
      const states = [{ name: "s", shape: [1000], dtype: "f32", shared: false }] as const;
      const first = device.arena(states, {});
      first.write("s", new Array(1000).fill(7));
      first.release();
      expect(new Set(await device.arena(states, {}).read("s"))).toEqual(new Set([0]));
    });

    it("gives back what arenas and bound programs held", async () => {
      const program = learningStep();
      const executable = await device.compile(program);
      const cycle = async (size: number) => {
        const arena = device.arena(program.states.values(), { batch: 16, width: size });
        const bound = executable.bind(arena);
        await bound.run();
        bound.release();
        bound.release();
        arena.release();
        arena.release();
      };
      await cycle(64);
      const before = device.bytes;
      for (let i = 0; i < 1000; i++) await cycle(1 + (i % 64));
      expect(device.bytes).toBe(before);
    });

    it("still runs members bound before a larger one came", async () => {
      const program = learningStep();
      const executable = await device.compile(program);
      const run = async (size: number) => {
        const arena = device.arena(program.states.values(), { batch: 4, width: size });
        arena.write("x", wave(12, 1));
        arena.write("w1", wave(3 * size, 2));
        arena.write("w2", wave(2 * size, 4));
        return { arena, bound: executable.bind(arena) };
      };
      const small = await run(8);
      await small.bound.run();
      const alone = [...(await small.arena.read("w1"))];
      const again = await run(8);
      const large = await run(3000);
      await again.bound.run();
      await large.bound.run();
      expect([...(await again.arena.read("w1"))]).toEqual(alone);
    });

    it("takes any number but 0 for true in a bool buffer", async () => {
      const program = k.trace("mask", () => {
        const mask = k.state("mask", [3], { dtype: "bool" }).read();
        k.state("out", [3]).write(k.select(mask, 1.5, -2.5));
      });
      const arena = device.arena(program.states.values(), {});
      arena.write("mask", [1, 0, -1]);
      await (await device.compile(program)).bind(arena).run();
      expect([...(await arena.read("out"))]).toEqual([1.5, -2.5, 1.5]);
    });

    describe("refuses", () => {
      const program = k.trace("refused", () => {
        k.state("out", [width]).write(k.add(k.state("in", [width]).read(), 1));
      });
      const states = [...program.states.values()];

      it("an arena without one of the program's buffers", async () => {
        const executable = await device.compile(program);
        const arena = device.arena(
          states.filter((s) => s.name !== "in"),
          { width: 3 },
        );
        expect(() => executable.bind(arena)).toThrow(/no buffer in; available: out/);
      });

      it("an arena whose buffer has another size or type, and holds nothing back from it", async () => {
        const executable = await device.compile(program);
        const other = (shape: readonly number[], dtype: "f32" | "i32") =>
          device.arena(
            states.map((s) => (s.name === "in" ? { ...s, shape, dtype } : s)),
            { width: 3 },
          );
        const [short, integers] = [other([2], "f32"), other([3], "i32")];
        const before = device.bytes;
        expect(() => executable.bind(short)).toThrow(/in holds 2 values of f32, the program needs 3 of f32/);
        expect(() => executable.bind(integers)).toThrow(
          /in holds 3 values of i32, the program needs 3 of f32/,
        );
        expect(device.bytes).toBe(before);
      });

      it("a binding that leaves a symbol open or gives no size", () => {
        expect(() => device.arena(states, { batch: 2 })).toThrow(
          /"width" is not bound; bound dimensions: batch/,
        );
        expect(() => device.arena(states, { width: 2.5 })).toThrow(/would hold 2.5 values/);
        expect(() => device.arena(states, { width: -1 })).toThrow(/would hold -1 values/);
      });

      it("more values than a buffer holds, and names it does not know", async () => {
        const arena = device.arena(states, { width: 3 });
        expect(() => arena.write("in", [1, 2, 3, 4])).toThrow(/in holds 3 values, found 4/);
        expect(() => arena.write("inn", [1])).toThrow(/no buffer inn; available: (out, in|in, out)/);
      });

      it("to run or read after release", async () => {
        const executable = await device.compile(program);
        const arena = device.arena(states, { width: 3 });
        const [one, two] = [executable.bind(arena), executable.bind(arena)];
        one.release();
        expect(() => one.run()).toThrow(/after its release/);
        arena.release();
        expect(() => two.run()).toThrow(/after its arena's release/);
        expect(() => arena.read("in")).toThrow(/in was requested after release/);
        // A released arena must not stop others from binding larger programs.
        const large = device.arena(states, { width: 100_000 });
        expect(() => executable.bind(large)).not.toThrow();
      });
    });
  });
}
