/** Numbers of two bytes and of one: packing, and products with large packed factors. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  halvesMatmul,
  int8Matmul,
  matmul,
  packedHalves,
  packedInt8,
  state,
  sym,
  trace,
  unpackHalves,
  unpackInt8,
  WasmDevice,
} from "../../src/kernels/index.ts";
import { numbers } from "./support/numbers.ts";

const device = new WasmDevice();
afterAll(() => device.close());

/** Results of a program by name, whose other states have these values. */
function run(body: () => void, values: Readonly<Record<string, Float32Array | Uint32Array>>, rows = 1) {
  const program = trace("halves", body);
  const arena = device.arena(program.states.values(), { rows });
  for (const [name, data] of Object.entries(values)) arena.write(name, data);
  const bound = device.compile(program).bind(arena);
  bound.run();
  const names = [...program.states.keys()].filter((name) => !Object.hasOwn(values, name));
  const results = Object.fromEntries(names.map((name) => [name, arena.read(name)]));
  bound.release();
  arena.release();
  return results;
}

function unpacked(values: Float32Array): Float32Array {
  const words = packedHalves(values);
  const { y } = run(
    () => {
      const x = state("x", [words.length / 2, 2], { dtype: "u32" }).read();
      state("y", [words.length / 2, 4]).write(unpackHalves(x));
    },
    { x: words },
  );
  return y as Float32Array; // f32
}

describe("numbers of two bytes", () => {
  it("keep 11 digits of every number from 2^-22 to 255, and are exact to 2^-33 below", () => {
    const some = fc.float({ noNaN: true, min: Math.fround(-255), max: Math.fround(255) });
    const small = fc.float({ noNaN: true, min: -(2 ** -20), max: 2 ** -20 });
    fc.assert(
      fc.property(fc.array(fc.oneof(some, small), { minLength: 4, maxLength: 4 }), (values) => {
        const given = Float32Array.from(values);
        for (const [i, found] of unpacked(given).entries()) {
          const value = given[i] ?? 0;
          expect(Math.abs(found - value)).toBeLessThanOrEqual(Math.max(Math.abs(value) * 2 ** -11, 2 ** -33));
          expect(Math.sign(found) * Math.sign(value)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it("keep numbers of bfloat16 as they are, and round halfway to even", () => {
    const exact = [0, -0, 1, -1.0078125, 2 ** -22, -(2 ** -30), 254, 0.019775390625];
    expect([...unpacked(Float32Array.from(exact))]).toEqual(exact);
    const halfway = [1 + 2 ** -11, 1 + 3 * 2 ** -11, 2 ** -33, 3 * 2 ** -33];
    expect([...unpacked(Float32Array.from(halfway))]).toEqual([1, 1 + 2 ** -9, 0, 2 ** -31]);
  });

  it.each([256, -1e9, Infinity, Number.NaN])("do not include %s", (value) => {
    expect(() => packedHalves(Float32Array.of(1, value))).toThrow(
      `found ${value}, allowed numbers below 255.9`,
    );
  });
});

describe("integers of one byte", () => {
  const unpackedRow = (values: Float32Array): readonly number[] => {
    const { words, scales } = packedInt8(values, values.length);
    const { y } = run(
      () => {
        const x = state("x", [1, words.length], { dtype: "u32" }).read();
        state("y", [1, values.length]).write(unpackInt8(x));
      },
      { x: words },
    );
    return [...(y as Float32Array)].map((value) => value * (scales[0] ?? 0)); // f32
  };

  it("keep each number to half a 127th part of its row's largest", () => {
    const some = fc.float({ noNaN: true, min: -(2 ** 20), max: 2 ** 20 });
    fc.assert(
      fc.property(fc.array(some, { minLength: 8, maxLength: 8 }), (values) => {
        const step = Math.max(...values.map(Math.abs)) / 127;
        for (const [i, found] of unpackedRow(Float32Array.from(values)).entries())
          expect(Math.abs(found - (values[i] ?? 0))).toBeLessThanOrEqual(step * 0.5001 + 1e-38);
      }),
    );
  });

  it("have a factor for each row, also for one of zeros", () => {
    const { words, scales } = packedInt8(Float32Array.of(127, -127, 1, 0, 0, 0, 0, 0, 2, -4, 1, 0), 4);
    expect([...new Int8Array(words.buffer)]).toEqual([127, -127, 1, 0, 0, 0, 0, 0, 64, -127, 32, 0]);
    expect([...scales]).toEqual([1, 0, 4 / 127].map(Math.fround));
  });

  it.each([Infinity, -Infinity, Number.NaN])("do not include %s", (value) => {
    expect(() => packedInt8(Float32Array.of(1, value, 0, 0), 4)).toThrow(
      `found ${value}, allowed finite numbers`,
    );
  });
});

const FORMATS = {
  halves: { product: halvesMatmul, perWord: 2, packed: packedHalves, numbersIn: unpacked },
  int8: {
    product: int8Matmul,
    perWord: 4,
    packed: (integers: Float32Array) => new Uint32Array(Int8Array.from(integers).buffer),
    numbersIn: (values: Float32Array) => values.map((value) => Math.round(127 * value)),
  },
} as const;

describe.each(Object.entries(FORMATS))("a product with packed weights: %s", (_, format) => {
  const rows = sym("rows");

  it.each([
    [128, 128],
    [129, 132],
    [9, 2052],
    [7, 12],
  ])("has the bits of one with their numbers: %i columns, depth %i", (columns, depth) => {
    const next = numbers(columns);
    const fill = (length: number) => Float32Array.from({ length }, () => 2 * next() - 1);
    const weights = format.numbersIn(fill(4 * Math.ceil((columns * depth) / 4))).slice(0, columns * depth);
    const [words, bias] = [format.packed(weights), fill(columns)];
    for (const count of [1, 2, 3, 8, 261]) {
      const x = fill(count * depth);
      const packed = () => ({
        x: state("x", [rows, depth]).read(),
        weight: state("words", [columns, depth / format.perWord], { dtype: "u32" }).read(),
        bias: state("bias", [columns]).read(),
      });
      const found = run(
        () => {
          const { x, weight, bias } = packed();
          state("y", [rows, columns]).write(format.product(x, weight, { transposeB: true, bias }));
        },
        { x, words, bias },
        count,
      );
      const due = run(
        () => {
          const [x, weight] = [state("x", [rows, depth]).read(), state("weights", [columns, depth]).read()];
          const bias = state("bias", [columns]).read();
          state("y", [rows, columns]).write(matmul(x, weight, { transposeB: true, bias }));
        },
        { x, weights, bias },
        count,
      );
      expect(found.y, `${count} rows`).toEqual(due.y);
    }
  });
});
