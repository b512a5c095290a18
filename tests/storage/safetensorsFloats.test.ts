/** Files that other programs write: element types of models, and tensors other than weights. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  memoryFileStore,
  readFloatParts,
  readFloats,
  readSafetensorsHeader,
  StorageError,
  safetensorsHeader,
} from "../../src/storage/index.ts";
import { type RawTensor, safetensorsOf } from "./support/safetensorsOf.ts";

const halves = (...bits: number[]): Uint8Array => new Uint8Array(Uint16Array.from(bits).buffer);

function floatsOf(tensor: RawTensor): number[] {
  const bytes = safetensorsOf({ w: tensor });
  const [place] = safetensorsHeader(bytes, "f").places;
  if (place === undefined) throw new Error("the file has no tensor");
  return [...readFloats(bytes, place, "f")];
}

describe("readFloats", () => {
  it("reads F16: zeros, subnormal, normal and largest numbers, infinities, NaN", () => {
    const data = halves(
      0x0000,
      0x8000,
      0x0001,
      0x83ff,
      0x0400,
      0x3c00,
      0xc000,
      0x3555,
      0x7bff,
      0x7c00,
      0xfc00,
      0x7e00,
    );
    expect(floatsOf({ dtype: "F16", shape: [12], data })).toEqual([
      0,
      -0,
      2 ** -24,
      -1023 * 2 ** -24,
      2 ** -14,
      1,
      -2,
      0.333251953125,
      65504,
      Infinity,
      -Infinity,
      Number.NaN,
    ]);
  });

  it("reads every finite F16 as sign * significand * 2^exponent", () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.integer({ min: 0, max: 30 }),
        fc.nat(1023),
        (negative, exponent, mantissa) => {
          const bits = (negative ? 0x8000 : 0) | (exponent << 10) | mantissa;
          const size = exponent === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (exponent - 25);
          expect(floatsOf({ dtype: "F16", shape: [1], data: halves(bits) })).toEqual([
            negative ? -size : size,
          ]);
        },
      ),
    );
  });

  it("reads BF16 as the upper half of an f32", () => {
    const data = halves(0x3f80, 0xc000, 0x0001, 0x7f80, 0x8000);
    expect(floatsOf({ dtype: "BF16", shape: [5], data })).toEqual([1, -2, 2 ** -133, Infinity, -0]);
  });

  it("reads F32 bit by bit, and rounds F64", () => {
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true, maxLength: 8 }), (values) => {
        const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        expect(floatsOf({ dtype: "F32", shape: [values.length], data })).toEqual([...values]);
        const wide = new Uint8Array(Float64Array.from(values, (x) => x * (1 + 2 ** -40)).buffer);
        expect(floatsOf({ dtype: "F64", shape: [values.length], data: wide })).toEqual([...values]);
      }),
    );
  });

  it("refuses integers, by the tensor's name", () => {
    const data = new Uint8Array(8);
    expect(() => floatsOf({ dtype: "I64", shape: [1], data })).toThrow(
      'f: tensor "w" is I64, allowed F32, F16, BF16, F64',
    );
  });
});

describe("a file that is read in parts", () => {
  const fileOf = async (bytes: Uint8Array) => {
    const store = memoryFileStore();
    await store.write("f", bytes);
    return store.blob("f");
  };

  it.each(["F16", "BF16"] as const)("has the numbers of the whole file: %s", async (dtype) => {
    const count = 2 ** 19 + 3;
    const bits = Uint16Array.from({ length: count }, (_, i) => (i * 40_503) % 0x7800);
    const bytes = safetensorsOf({ w: { dtype, shape: [count], data: new Uint8Array(bits.buffer) } });
    const file = await fileOf(bytes);
    const { places } = await readSafetensorsHeader(file, "f");
    const joined = new Float32Array(count);
    let parts = 0;
    for (const place of places)
      for await (const { first, values } of readFloatParts(file, place, "f")) {
        joined.set(values, first);
        parts++;
      }
    expect(parts).toBe(3);
    const [place] = safetensorsHeader(bytes, "f").places;
    if (place === undefined) throw new Error("the file has no tensor");
    // Two large arrays; the matcher for them would take seconds.
    expect(Buffer.from(readFloats(bytes, place, "f").buffer).equals(Buffer.from(joined.buffer))).toBe(true);
  });

  it.each([
    [
      [5, 100_000],
      [0, 200_000, 400_000],
    ],
    [
      [2, 300_000],
      [0, 2 ** 18, 2 ** 19],
    ],
  ])("has whole rows of a matrix in each part, if they fit: %j", async (shape, due) => {
    const bytes = safetensorsOf({
      w: { dtype: "BF16", shape, data: new Uint8Array(2 * shape.reduce((a, b) => a * b, 1)) },
    });
    const file = await fileOf(bytes);
    const found: number[] = [];
    for (const place of (await readSafetensorsHeader(file, "f")).places)
      for await (const { first } of readFloatParts(file, place, "f")) found.push(first);
    expect(found).toEqual(due);
  });

  it("has a header of any length, and the errors of the whole file", async () => {
    const names = Array.from({ length: 3000 }, (_, i) => `a long name of a layer ${i}`);
    const tensors = names.map((name) => [name, { dtype: "BF16", shape: [1], data: halves(1) }] as const);
    const long = safetensorsOf(Object.fromEntries(tensors));
    const short = safetensorsOf({ w: { dtype: "F16", shape: [3], data: halves(1, 2, 3) } });
    expect(await readSafetensorsHeader(await fileOf(long), "f")).toEqual(safetensorsHeader(long, "f"));
    for (const bytes of [short, ...Array.from({ length: short.length }, (_, n) => short.slice(0, n))]) {
      const whole = (() => {
        try {
          return safetensorsHeader(bytes, "f");
        } catch (error) {
          return error;
        }
      })();
      const found = await readSafetensorsHeader(await fileOf(bytes), "f").catch((error: unknown) => error);
      expect(found).toEqual(whole);
    }
  });
});

describe("safetensorsHeader", () => {
  it("says names, types, shapes and places of tensors of every type", () => {
    const bytes = safetensorsOf(
      {
        ids: { dtype: "I64", shape: [2], data: new Uint8Array(16) },
        mask: { dtype: "BOOL", shape: [1, 3], data: new Uint8Array([1, 0, 1]) },
        w: { dtype: "BF16", shape: [], data: halves(0x3f80) },
      },
      { format: "pt" },
    );
    const { places, metadata } = safetensorsHeader(bytes, "f");
    expect(metadata).toEqual({ format: "pt" });
    expect(places.map(({ name, dtype, shape, begin, end }) => [name, dtype, shape, end - begin])).toEqual([
      ["ids", "I64", [2], 16],
      ["mask", "BOOL", [1, 3], 3],
      ["w", "BF16", [], 2],
    ]);
    const mask = places[1];
    expect([...bytes.slice(mask?.begin, mask?.end)]).toEqual([1, 0, 1]);
  });

  it("refuses a file of half floats cut short anywhere", () => {
    const whole = safetensorsOf({ w: { dtype: "F16", shape: [3], data: halves(1, 2, 3) } });
    for (let length = 0; length < whole.byteLength; length++) {
      expect(() => safetensorsHeader(whole.slice(0, length), "f")).toThrow(StorageError);
    }
  });

  it("refuses a length that does not fit the type", () => {
    const bytes = safetensorsOf({ w: { dtype: "BF16", shape: [3], data: halves(1, 2) } });
    expect(() => safetensorsHeader(bytes, "model.safetensors")).toThrow(
      'model.safetensors: tensor "w" has 4 bytes for BF16 [3]',
    );
  });
});
