import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import {
  hostKey,
  type RandomKey,
  randomBits,
  randomNormal,
  randomUniform,
} from "../../../src/kernels/functions.ts";
import {
  add,
  constant,
  iota,
  type Program,
  state,
  sym,
  type Tensor,
  trace,
} from "../../../src/kernels/index.ts";
import { runOnReference } from "../support/run.ts";

const n = sym("n");

function key(stream: number): RandomKey {
  const word = (i: number) => state(`key${i}`, [], { dtype: "u32" }).read();
  return { key: [word(0), word(1)], stream, step: state("step", [], { dtype: "i32" }).read() };
}

function drawing(make: (key: RandomKey) => readonly Tensor[], stream = 0): Program {
  return trace("draw", () => {
    make(key(stream)).forEach((x, i) => state(`out${i}`, [n], { dtype: x.dtype }).write(x));
  });
}

function draw(program: Program, size: number, [a, b]: readonly [number, number], step: number): number[][] {
  const device = new WasmDevice();
  const arena = device.arena(program.states.values(), { n: size });
  arena.write("key0", [a]);
  arena.write("key1", [b]);
  arena.write("step", [step]);
  device.compile(program).bind(arena).run();
  return [0, 1, 2, 3].map((i) => [...arena.read(`out${i}`)]);
}

const bits = drawing((k) => randomBits(k, n));
const uniform = drawing((k) => randomUniform(k, n));
const normal = drawing((k) => randomNormal(k, n));

const mean = (x: readonly number[]) => x.reduce((a, b) => a + b, 0) / x.length;

describe("random numbers", () => {
  it("of some lanes are those lanes' numbers of all", () => {
    const some = drawing((k) => randomUniform(k, add(iota(n, "u32"), constant(3, "u32"))));
    const all = draw(uniform, 20, [4, 5], 6);
    expect(draw(some, 17, [4, 5], 6)).toEqual(all.map((values) => values.slice(3)));
  });

  it("are the same bits on the reference evaluator", () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.nat(2 ** 32 - 1),
        fc.nat(1e6),
        fc.integer({ min: 1, max: 70 }),
        (a, b, step, size) => {
          const found = runOnReference(bits, { n: size }, { key0: [a], key1: [b], step: [step] });
          const expected = [0, 1, 2, 3].map((i) => found[`out${i}`]);
          expect(draw(bits, size, [a, b], step)).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("do not depend on how many are drawn", () => {
    const few = draw(bits, 5, [1, 2], 3);
    const many = draw(bits, 64, [1, 2], 3);
    expect(many.map((x) => x.slice(0, 5))).toEqual(few);
  });

  it("differ with key, step, stream and lane", () => {
    const seen = new Set<number>();
    for (const k of [
      [1, 2],
      [2, 1],
      [1, 3],
    ] as const)
      for (const step of [0, 1, 2]) for (const x of draw(bits, 50, k, step).flat()) seen.add(x);
    for (const x of draw(
      drawing((k) => randomBits(k, n), 1),
      50,
      [1, 2],
      0,
    ).flat())
      seen.add(x);
    // 2,000 draws of 32 bits: a repeat happens in one of 2,000 cases.
    expect(seen.size).toBeGreaterThan(1997);
  });

  it("are uniform in [0, 1)", () => {
    for (const x of draw(uniform, 20_000, [5, 6], 7)) {
      expect(Math.min(...x)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...x)).toBeLessThan(1);
      expect(mean(x)).toBeCloseTo(0.5, 1);
      const counts = Array.from({ length: 20 }, () => 0);
      for (const u of x) counts[Math.floor(u * 20)] = (counts[Math.floor(u * 20)] ?? 0) + 1;
      const chi = counts.reduce((sum, c) => sum + (c - 1000) ** 2 / 1000, 0);
      // 19 degrees of freedom: exceeded once in 10,000 times.
      expect(chi).toBeLessThan(51);
    }
  });

  it("are normal with mean 0 and variance 1, independent of each other", () => {
    const columns = draw(normal, 20_000, [8, 9], 1);
    for (const x of columns) {
      expect(Math.abs(mean(x))).toBeLessThan(0.03);
      expect(mean(x.map((v) => v * v))).toBeCloseTo(1, 1);
      expect(mean(x.map((v) => v ** 4))).toBeGreaterThan(2.7);
      expect(x.every(Number.isFinite)).toBe(true);
    }
    const [a, b] = columns as [number[], number[]];
    expect(Math.abs(mean(a.map((v, i) => v * (b[i] as number))))).toBeLessThan(0.03);
  });

  it("have keys that differ in every part, in any order", () => {
    const keys = new Set<string>();
    for (let seed = 0; seed < 10; seed++)
      for (let slot = 0; slot < 10; slot++)
        for (let generation = 0; generation < 10; generation++)
          keys.add(hostKey(seed, slot, generation).join());
    expect(keys.size).toBe(1000);
    expect(hostKey(1, 2)).not.toEqual(hostKey(2, 1));
    expect(hostKey(2 ** 40)).not.toEqual(hostKey(0));
  });
});
