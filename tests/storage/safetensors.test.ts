import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeSafetensors,
  encodeSafetensors,
  StorageError,
  type StoredTensor,
} from "../../src/storage/index.ts";

/** A file with this header and a number of data bytes. */
function fileOf(header: string | Uint8Array, dataBytes: number, declared?: bigint): Uint8Array {
  const text = typeof header === "string" ? new TextEncoder().encode(header) : header;
  const bytes = new Uint8Array(8 + text.byteLength + dataBytes);
  new DataView(bytes.buffer).setBigUint64(0, declared ?? BigInt(text.byteLength), true);
  bytes.set(text, 8);
  return bytes;
}

const shapeArbitrary = fc.array(fc.nat(4), { maxLength: 3 });
const tensorArbitrary: fc.Arbitrary<StoredTensor> = shapeArbitrary.chain((shape) => {
  const length = shape.reduce((a, b) => a * b, 1);
  const exact = { minLength: length, maxLength: length };
  return fc
    .oneof(fc.float32Array(exact), fc.int32Array(exact), fc.uint32Array(exact))
    .map((data) => ({ shape, data }));
});
const fileArbitrary = fc.tuple(
  fc.uniqueArray(fc.tuple(fc.string({ unit: "binary" }), tensorArbitrary), {
    selector: ([name]) => name,
    maxLength: 5,
  }),
  fc.dictionary(fc.string(), fc.string({ unit: "binary" }), { maxKeys: 4 }),
);

const bitsOf = (data: StoredTensor["data"]): number[] => [
  ...new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
];

describe("safetensors", () => {
  it("writes the documented bytes", () => {
    const bytes = encodeSafetensors([["w", { shape: [1, 2], data: new Float32Array([1, -2]) }]], { a: "b" });
    const header = '{"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}'.padEnd(
      88,
      " ",
    );
    expect(new DataView(bytes.buffer).getBigUint64(0, true)).toBe(88n);
    expect(new TextDecoder().decode(bytes.subarray(8, 96))).toBe(header);
    expect([...bytes.subarray(96)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
  });

  it("reads back names, types, shapes, bits and metadata, wherever the bytes lie in their buffer", () => {
    fc.assert(
      fc.property(fileArbitrary, fc.nat(3), ([tensors, metadata], shift) => {
        const written = encodeSafetensors(tensors, metadata);
        const moved = new Uint8Array(written.byteLength + shift);
        moved.set(written, shift);
        const read = decodeSafetensors(moved.subarray(shift), "f");
        expect(Object.entries(read.metadata)).toEqual(Object.entries(metadata));
        expect(read.tensors.size).toBe(tensors.length);
        for (const [name, tensor] of tensors) {
          const found = read.tensors.get(name);
          expect(found?.shape).toEqual(tensor.shape);
          expect(found?.data.constructor).toBe(tensor.data.constructor);
          expect(found && bitsOf(found.data)).toEqual(bitsOf(tensor.data));
        }
      }),
    );
  });

  it("refuses every file cut short or grown", () => {
    const whole = encodeSafetensors([
      ["a", { shape: [2], data: new Float32Array([1, 2]) }],
      ["b", { shape: [], data: new Uint32Array([3]) }],
    ]);
    for (let length = 0; length < whole.byteLength; length++) {
      expect(() => decodeSafetensors(whole.slice(0, length), "f")).toThrow(StorageError);
    }
    const grown = new Uint8Array(whole.byteLength + 1);
    grown.set(whole);
    expect(() => decodeSafetensors(grown, "f")).toThrow(/13 bytes of data, 12 are described/);
  });

  it("answers any damaged byte with a StorageError or a sound file, never another error", () => {
    const whole = encodeSafetensors([["name", { shape: [3, 1], data: new Int32Array([1, 2, 3]) }]], {
      k: "v",
    });
    fc.assert(
      fc.property(fc.nat(whole.byteLength - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = whole.slice();
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        expect(soundOrRefused(damaged)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("answers arbitrary bytes with a StorageError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(() => decodeSafetensors(bytes, "f")).toThrow(StorageError);
      }),
    );
  });

  it.each([
    ["a header longer than the file", fileOf("{}", 0, 3n), /declares a header of 3 bytes/],
    ["a header length beyond 2^53", fileOf("{}", 0, 2n ** 63n), /declares a header/],
    ["no header", fileOf("", 0), /does not begin with/],
    ["a list as header", fileOf("[]", 0), /does not begin with/],
    ["leading space", fileOf(" {}", 0), /does not begin with/],
    ["broken JSON", fileOf('{"a":', 0), /not valid JSON/],
    ["broken UTF-8", fileOf(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 0), /not valid JSON/],
    ["an unknown type", fileOf('{"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}', 2), /F32/],
    ["a negative size", fileOf('{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}', 4), /shape/],
    ["a fractional size", fileOf('{"a":{"dtype":"F32","shape":[0.5],"data_offsets":[0,2]}}', 2), /shape/],
    ["a size too large", fileOf('{"a":{"dtype":"F32","shape":[1e300],"data_offsets":[0,4]}}', 4), /shape/],
    ["sizes that overflow", fileOf(overflowing(), 4), /4 bytes for F32/],
    ["offsets backwards", fileOf('{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}', 4), /begins at 4/],
    ["one offset", fileOf('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}}', 4), /data_offsets/],
    ["an unknown field", fileOf('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}}', 4), /x/],
    ["a gap", fileOf(pair([0, 4], [8, 12]), 12), /begins at 8, where 4 was expected/],
    ["an overlap", fileOf(pair([0, 4], [0, 4]), 4), /begins at 0, where 4 was expected/],
    [
      "a wrong length",
      fileOf('{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}', 4),
      /4 bytes for F32 \[2\]/,
    ],
    ["data beyond the file", fileOf('{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}', 4), /beyond/],
    ["metadata that is no text", fileOf('{"__metadata__":{"a":1}}', 0), /map of texts/],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => decodeSafetensors(bytes, "agent.safetensors")).toThrow(message);
    expect(() => decodeSafetensors(bytes, "agent.safetensors")).toThrow(/^agent\.safetensors: /);
  });

  it("refuses to write what it could not read", () => {
    const one = { shape: [1], data: new Float32Array(1) };
    expect(() => encodeSafetensors([["a", { shape: [2], data: new Float32Array(1) }]])).toThrow(/1 elements/);
    expect(() => encodeSafetensors([["__metadata__", one]])).toThrow(StorageError);
    expect(() =>
      encodeSafetensors([
        ["a", one],
        ["a", one],
      ]),
    ).toThrow(/name in use/);
  });
});

function soundOrRefused(bytes: Uint8Array): boolean {
  try {
    const tensors = [...decodeSafetensors(bytes, "f").tensors.values()];
    return tensors.every(({ shape, data }) => data.length === shape.reduce((a, b) => a * b, 1));
  } catch (error) {
    return error instanceof StorageError;
  }
}

function pair(a: readonly number[], b: readonly number[]): string {
  const entry = (data_offsets: readonly number[]): object => ({ dtype: "F32", shape: [1], data_offsets });
  return JSON.stringify({ a: entry(a), b: entry(b) });
}

function overflowing(): string {
  const shape = Array.from({ length: 40 }, () => Number.MAX_SAFE_INTEGER);
  return JSON.stringify({ a: { dtype: "F32", shape, data_offsets: [0, 4] } });
}
