/** The encoder of WebAssembly modules. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FunctionBody, leb, ModuleBuilder, sleb } from "../../../../src/kernels/wasm/encoder.ts";
import type { Scalar, Simd } from "../../../../src/kernels/wasm/instructions.ts";

/** Reads LEB128 as the specification says; the inverse of what is tested. */
function decode(bytes: readonly number[], signed: boolean): number {
  let [result, shift] = [0n, 0n];
  for (const byte of bytes) {
    result |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
  }
  return Number(signed ? BigInt.asIntN(Number(shift), result) : result);
}

const build = (body: FunctionBody): ((...args: number[]) => number | undefined) => {
  const module = new ModuleBuilder();
  module.export("f", module.add(body, "f"));
  const memory = new WebAssembly.Memory({ initial: 1 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env: { memory } });
  const { f } = instance.exports;
  if (typeof f !== "function") throw new TypeError("f is no function");
  return (...args) => {
    const result: unknown = f(...args);
    return typeof result === "number" ? result : undefined;
  };
};

describe("LEB128", () => {
  it("keeps every u32 and i32, with continuation bits on all bytes but the last", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (value) => {
        const [unsigned, signed] = [leb(value >>> 0), sleb(value)];
        expect([decode(unsigned, false), decode(signed, true)]).toEqual([value >>> 0, value]);
        for (const bytes of [unsigned, signed])
          expect(bytes.map((b) => b >= 0x80)).toEqual(bytes.map((_, i) => i < bytes.length - 1));
      }),
      { seed: 8 },
    );
  });

  it.each([
    [0, [0x00], [0x00]],
    [63, [0x3f], [0x3f]],
    [64, [0x40], [0xc0, 0x00]],
    [127, [0x7f], [0xff, 0x00]],
    [128, [0x80, 0x01], [0x80, 0x01]],
    [624_485, [0xe5, 0x8e, 0x26], [0xe5, 0x8e, 0x26]],
    [-1, [0xff, 0xff, 0xff, 0xff, 0x0f], [0x7f]],
    [-64, [0xc0, 0xff, 0xff, 0xff, 0x0f], [0x40]],
    [-65, [0xbf, 0xff, 0xff, 0xff, 0x0f], [0xbf, 0x7f]],
    [-123_456, [0xc0, 0xbb, 0xf8, 0xff, 0x0f], [0xc0, 0xbb, 0x78]],
    [-(2 ** 31), [0x80, 0x80, 0x80, 0x80, 0x08], [0x80, 0x80, 0x80, 0x80, 0x78]],
  ])("writes %i in the fewest bytes", (value, unsigned, signed) => {
    expect([leb(value), sleb(value)]).toEqual([unsigned, signed]);
  });

  it.each([0, 1, -1, 64, -65, 8191, 8192, 2 ** 31 - 1, -(2 ** 31)])(
    "constant %i survives a module",
    (value) => {
      expect(build(new FunctionBody([], ["i32"]).i32(value))()).toBe(value);
    },
  );
});

describe("modules", () => {
  it("declare parameters, locals of several types and results", () => {
    const f = new FunctionBody(["i32", "f32"], ["f32"]);
    const [i, x, v, j] = [f.local("i32"), f.local("f32"), f.local("v128"), f.local("i32")];
    f.get(0).set(i).get(1).set(x).get(i).i32(2).op("i32.mul").set(j);
    f.get(j).i32ToF32().simd("f32x4.splat").get(x).simd("f32x4.splat").simd("f32x4.add").set(v);
    f.get(v).f32x4Extract(3);
    expect(build(f)(21, 0.5)).toBe(42.5);
  });

  it("hold functions with more than 127 locals and bodies of many kilobytes", () => {
    const f = new FunctionBody(["i32"], ["i32"]);
    const locals = Array.from({ length: 5000 }, () => f.local("i32"));
    f.i32(0).set(locals[0] as number);
    for (const [i, local] of locals.entries())
      if (i > 0)
        f.get(locals[i - 1] as number)
          .get(0)
          .op("i32.add")
          .set(local);
    f.get(locals.at(-1) as number);
    expect(build(f)(3)).toBe(3 * 4999);
  });

  it("share functions of equal code and keep unequal ones apart", () => {
    const module = new ModuleBuilder();
    const constant = (value: number, params: "i32"[] = []) => new FunctionBody(params, ["i32"]).i32(value);
    expect(module.add(constant(1), "constant")).toBe(module.add(constant(1), "constant"));
    expect(module.add(constant(2), "constant")).not.toBe(module.add(constant(1), "constant"));
    expect(module.add(constant(1, ["i32"]), "constant")).not.toBe(module.add(constant(1), "constant"));
    expect(module.functionNames).toHaveLength(3);
  });

  it("store and load the lanes of a vector where they are asked to", () => {
    const f = new FunctionBody(["i32"], ["i32"]);
    const v = f.local("v128");
    f.i32x4(10, 20, 30, 40).set(v);
    f.get(0).get(v).v128Store(0).get(0).get(v).v128Store32Lane(2, 16).get(0).get(v).v128Store64Lane(1, 20);
    f.get(0).i32Load(16).get(0).i32Load(20).op("i32.add").get(0).i32Load(24).op("i32.add");
    f.get(0).v128LoadSplat(4).i32x4Extract(3).op("i32.add");
    expect(build(f)(64)).toBe(30 + 30 + 40 + 20);
  });

  it("shuffle whole lanes of two vectors", () => {
    for (const [lane, expected] of [40, 1, 20, 3].entries()) {
      const f = new FunctionBody([], ["i32"]);
      f.i32x4(10, 20, 30, 40).i32x4(1, 2, 3, 4).shuffle32(3, 4, 1, 6).i32x4Extract(lane);
      expect(build(f)()).toBe(expected);
    }
  });
});

/** Lanes as i32 bits of an instruction applied to vectors of bits. */
function lanes(instruction: Simd, args: readonly (readonly number[])[], shift?: number): number[] {
  return [0, 1, 2, 3].map((lane) => {
    const f = new FunctionBody([], ["i32"]);
    for (const arg of args) f.i32x4(...arg);
    if (shift !== undefined) f.i32(shift);
    f.simd(instruction).i32x4Extract(lane);
    return build(f)() ?? Number.NaN;
  });
}

const floats = (...xs: number[]): number[] => [...new Int32Array(Float32Array.from(xs).buffer)];
const asFloats = (bits: readonly number[]): number[] => [...new Float32Array(Int32Array.from(bits).buffer)];

describe("opcodes", () => {
  const a = [1, -2, 2 ** 31 - 1, -(2 ** 31)];
  const b = [3, -2, -1, 5];
  const mask = (test: (x: number, y: number) => boolean) =>
    a.map((x, i) => (test(x, b[i] as number) ? -1 : 0));
  const u = (x: number) => x >>> 0;

  it.each<[Simd, number[]]>([
    ["i32x4.add", a.map((x, i) => (x + (b[i] as number)) | 0)],
    ["i32x4.sub", a.map((x, i) => (x - (b[i] as number)) | 0)],
    ["i32x4.mul", a.map((x, i) => Math.imul(x, b[i] as number))],
    ["i32x4.min_s", a.map((x, i) => Math.min(x, b[i] as number))],
    ["i32x4.max_s", a.map((x, i) => Math.max(x, b[i] as number))],
    ["i32x4.min_u", a.map((x, i) => Math.min(u(x), u(b[i] as number)) | 0)],
    ["i32x4.max_u", a.map((x, i) => Math.max(u(x), u(b[i] as number)) | 0)],
    ["i32x4.eq", mask((x, y) => x === y)],
    ["i32x4.lt_s", mask((x, y) => x < y)],
    ["i32x4.gt_s", mask((x, y) => x > y)],
    ["i32x4.le_s", mask((x, y) => x <= y)],
    ["i32x4.ge_s", mask((x, y) => x >= y)],
    ["v128.and", a.map((x, i) => x & (b[i] as number))],
    ["v128.andnot", a.map((x, i) => x & ~(b[i] as number))],
    ["v128.or", a.map((x, i) => x | (b[i] as number))],
    ["v128.xor", a.map((x, i) => x ^ (b[i] as number))],
  ])("%s", (instruction, expected) => {
    expect(lanes(instruction, [a, b])).toEqual(expected);
  });

  const x = [1.5, -2.5, Infinity, 0];
  const y = [2, -2.5, 1, Number.NaN];
  const compare = (f: (p: number, q: number) => boolean) => x.map((p, i) => (f(p, y[i] as number) ? -1 : 0));
  it.each<[Simd, (p: number, q: number) => number]>([
    ["f32x4.add", (p, q) => p + q],
    ["f32x4.sub", (p, q) => p - q],
    ["f32x4.mul", (p, q) => p * q],
    ["f32x4.div", (p, q) => p / q],
    ["f32x4.pmin", (p, q) => (q < p ? q : p)],
    ["f32x4.pmax", (p, q) => (p < q ? q : p)],
  ])("%s", (instruction, expected) => {
    expect(asFloats(lanes(instruction, [floats(...x), floats(...y)]))).toEqual(
      x.map((p, i) => Math.fround(expected(p, y[i] as number))),
    );
  });

  it.each<[Simd, number[]]>([
    ["f32x4.eq", compare((p, q) => p === q)],
    ["f32x4.lt", compare((p, q) => p < q)],
    ["f32x4.gt", compare((p, q) => p > q)],
    ["f32x4.le", compare((p, q) => p <= q)],
    ["f32x4.ge", compare((p, q) => p >= q)],
  ])("%s", (instruction, expected) => {
    expect(lanes(instruction, [floats(...x), floats(...y)])).toEqual(expected);
  });

  it.each<[Simd, number[]]>([
    ["f32x4.abs", [2.25, 2.75, 3.5, 0]],
    ["f32x4.neg", [-2.25, 2.75, -3.5, 0]],
    ["f32x4.sqrt", [1.5, Number.NaN, Math.fround(Math.sqrt(3.5)), -0]],
    ["f32x4.floor", [2, -3, 3, -0]],
  ])("%s", (instruction, expected) => {
    expect(asFloats(lanes(instruction, [floats(2.25, -2.75, 3.5, -0)]))).toEqual(expected);
  });

  it("splat", () => {
    const filled = new FunctionBody([], ["i32"]).i32(7).simd("i32x4.splat").i32x4Extract(2);
    expect(build(filled)()).toBe(7);
  });

  it.each<[Scalar, "f32" | "i32", number]>([
    ["f32.add", "f32", 4.25],
    ["f32.div", "f32", Math.fround(1.5 / 2.75)],
    ["f32.gt", "i32", 0],
  ])("%s", (instruction, result, expected) => {
    expect(build(new FunctionBody(["f32", "f32"], [result]).get(0).get(1).op(instruction))(1.5, 2.75)).toBe(
      expected,
    );
  });

  it("converts to integers, NaN to 0 and what is too large to the limit", () => {
    expect(lanes("i32x4.trunc_sat_f32x4_s", [floats(2.75, -2.75, Number.NaN, 1e10)])).toEqual([
      2,
      -2,
      0,
      2 ** 31 - 1,
    ]);
  });

  it.each<[Simd, number[]]>([
    ["v128.not", a.map((v) => ~v)],
    ["f32x4.convert_i32x4_s", floats(...a)],
    ["f32x4.convert_i32x4_u", floats(...a.map(u))],
  ])("%s", (instruction, expected) => {
    expect(lanes(instruction, [a])).toEqual(expected);
  });

  it("shifts and selects bits", () => {
    expect(lanes("i32x4.shl", [a], 3)).toEqual(a.map((v) => v << 3));
    expect(lanes("i32x4.shr_s", [a], 3)).toEqual(a.map((v) => v >> 3));
    expect(lanes("i32x4.shr_u", [a], 3)).toEqual(a.map((v) => (v >>> 3) | 0));
    const bits = [-1, 0, 0x0f0f0f0f, 1];
    expect(lanes("v128.bitselect", [a, b, bits])).toEqual(
      a.map((v, i) => (v & (bits[i] as number)) | ((b[i] as number) & ~(bits[i] as number))),
    );
  });

  it.each<[Scalar, (p: number, q: number) => number]>([
    ["i32.eq", (p, q) => Number(p === q)],
    ["i32.ne", (p, q) => Number(p !== q)],
    ["i32.lt_s", (p, q) => Number(p < q)],
    ["i32.lt_u", (p, q) => Number(u(p) < u(q))],
    ["i32.gt_s", (p, q) => Number(p > q)],
    ["i32.le_s", (p, q) => Number(p <= q)],
    ["i32.ge_s", (p, q) => Number(p >= q)],
    ["i32.ge_u", (p, q) => Number(u(p) >= u(q))],
    ["i32.add", (p, q) => (p + q) | 0],
    ["i32.sub", (p, q) => (p - q) | 0],
    ["i32.mul", Math.imul],
    ["i32.div_s", (p, q) => Math.trunc(p / q) | 0],
    ["i32.and", (p, q) => p & q],
    ["i32.or", (p, q) => p | q],
    ["i32.xor", (p, q) => p ^ q],
    ["i32.shl", (p, q) => p << q],
    ["i32.shr_u", (p, q) => (p >>> q) | 0],
  ])("%s", (instruction, expected) => {
    const f = build(new FunctionBody(["i32", "i32"], ["i32"]).get(0).get(1).op(instruction));
    for (const [p, q] of [
      [7, 2],
      [-7, 2],
      [5, 5],
      [-1, 1],
      [2 ** 31 - 1, 3],
    ] as const)
      expect(f(p, q)).toBe(expected(p, q));
  });
});
