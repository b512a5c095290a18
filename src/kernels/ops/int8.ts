/**
 * Integers of one byte from -127 to 127, which a factor of their row makes the numbers that they stand for. Rows have four to
 * a word, the first in the lowest bits.
 */
import type { Tensor } from "../tensor.ts";
import { type PackedMatmulOptions, packedOperations } from "./packedFactor.ts";

const LARGEST = 127;

/** Rows as integers: row `r` is `scales[r]` times its integers. */
export interface PackedInt8 {
  /** [rows, columns / 4] */
  readonly words: Uint32Array<ArrayBuffer>;
  /** [rows] */
  readonly scales: Float32Array<ArrayBuffer>;
}

/**
 * Packs rows: each number becomes the nearest multiple of the 127th part of its row's largest.
 * @param columns Numbers of a row, a multiple of 4.
 * @throws RangeError for infinite numbers and NaN.
 */
export function packedInt8(numbers: Float32Array, columns: number): PackedInt8 {
  const rows = numbers.length / columns;
  const bytes = new Int8Array(numbers.length);
  const scales = new Float32Array(rows);
  for (let row = 0, end = 0; row < rows; row++) {
    const begin = end;
    end += columns;
    let largest = 0;
    for (let i = begin; i < end; i++) {
      const size = Math.abs(numbers[i] ?? 0);
      if (size > largest || Number.isNaN(size)) largest = size;
    }
    if (!Number.isFinite(largest)) {
      const wrong = numbers.subarray(begin, end).find((value) => !Number.isFinite(value));
      throw new RangeError(`found ${wrong}, allowed finite numbers`);
    }
    scales[row] = largest / LARGEST;
    const factor = largest === 0 ? 0 : LARGEST / largest;
    for (let i = begin; i < end; i++) {
      const multiple = (numbers[i] ?? 0) * factor;
      // Stored integers lose their fraction.
      bytes[i] = multiple < 0 ? multiple - 0.5 : multiple + 0.5;
    }
  }
  return { words: new Uint32Array(bytes.buffer), scales };
}

const { unpack, product } = packedOperations({
  unpackName: "unpackInt8",
  productName: "int8Matmul",
  numbersPerWord: 4,
  numberOf: (bits) => (bits << 24) >> 24,
});

/**
 * Integers of packed rows: u32 [..., k / 4] -> f32 [..., k]. No gradient flows through.
 * @throws RangeError unless rows are of known length.
 */
export const unpackInt8 = (x: Tensor): Tensor => unpack(x);

/**
 * Product with packed integers as the right factor, without the factors of their rows: [M, K] x [K, N / 4] -> [M, N]. No
 * gradient flows to the packed factor.
 * @throws RangeError when inner dimensions differ.
 */
export const int8Matmul = (a: Tensor, b: Tensor, options?: PackedMatmulOptions): Tensor =>
  product(a, b, options);
