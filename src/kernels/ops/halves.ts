/**
 * Numbers of two bytes: half floats of 256 times the number, so that all but the smallest weights are normal numbers,
 * and those of bfloat16 files keep all their digits. Rows have two numbers to a word, the first in the lower half.
 */
import type { Tensor } from "../tensor.ts";
import { type PackedMatmulOptions, packedOperations } from "./packedFactor.ts";

/** What numbers are multiplied by before they become half floats. */
const SCALE = 256;
/** The exponent of a number's f32, less that of its half float in that form: 127 - 15 - 8. */
const EXPONENTS = 104;
/** The bits of the smallest f32 that is a normal number as half float, and of those that are too large. */
const [NORMAL, TOO_LARGE] = [(EXPONENTS + 1) << 23, ((EXPONENTS + 31) << 23) - 0x1000];

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The number that the half float in the lower 16 bits stands for. */
function numberOf(half: number): number {
  word[0] = (half & 0x7fff) << 13;
  const size = (float[0] ?? 0) * 2 ** 104;
  return half & 0x8000 ? -size : size;
}

/**
 * Packs numbers: the nearest half floats, with ties to even. An odd number of them is padded with 0.
 * @throws RangeError for numbers of size 255.9 or above, and for NaN.
 */
export function packedHalves(numbers: Float32Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(numbers.length / 2));
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  for (let i = 0; i < bits.length; i++) {
    const sign = ((bits[i] ?? 0) >>> 16) & 0x8000;
    const size = (bits[i] ?? 0) & 0x7fff_ffff;
    let half = 0;
    if (size >= NORMAL) {
      if (size >= TOO_LARGE) throw new RangeError(`found ${numbers[i]}, allowed numbers below 255.9`);
      half = (size + 0xfff + ((size >>> 13) & 1) - (EXPONENTS << 23)) >>> 13;
    } else if (size > 0) {
      const multiple = Math.abs(numbers[i] ?? 0) * SCALE * 2 ** 24;
      const down = Math.floor(multiple);
      const left = multiple - down;
      half = left > 0.5 || (left === 0.5 && down % 2 === 1) ? down + 1 : down;
    }
    words[i >> 1] = (words[i >> 1] ?? 0) | ((sign | half) << (16 * (i & 1)));
  }
  return words;
}

const { unpack, product } = packedOperations({
  unpackName: "unpackHalves",
  productName: "halvesMatmul",
  numbersPerWord: 2,
  numberOf,
});

/**
 * Numbers of packed rows: u32 [..., k / 2] -> f32 [..., k]. No gradient flows through.
 * @throws RangeError unless rows are of known length, a multiple of 4 numbers.
 */
export const unpackHalves = (x: Tensor): Tensor => unpack(x);

/**
 * Product with a packed right factor, with the bits of `matmul` with its numbers: [M, K] x [K, N / 2] -> [M, N]. No
 * gradient flows to the packed factor.
 * @throws RangeError when inner dimensions differ.
 */
export const halvesMatmul = (a: Tensor, b: Tensor, options?: PackedMatmulOptions): Tensor =>
  product(a, b, options);
