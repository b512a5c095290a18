import type { TensorPlace } from "./safetensorsHeader.ts";
import { StorageError } from "./storageError.ts";

/** Of IEEE 754 binary16: a sign, 5 bits of exponent with bias 15, 10 of mantissa. */
const SMALLEST_HALF = 2 ** -24;

/** Exact conversion. */
export function fromHalfFloats(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(halves.length);
  const bits = new Uint32Array(floats.buffer);
  halves.forEach((half, i) => {
    const sign = (half & 0x8000) << 16;
    const exponent = (half >>> 10) & 0x1f;
    const mantissa = half & 0x3ff;
    if (exponent === 0) floats[i] = (sign < 0 ? -1 : 1) * mantissa * SMALLEST_HALF;
    else bits[i] = sign | ((exponent === 0x1f ? 0xff : exponent + 112) << 23) | (mantissa << 13);
  });
  return floats;
}

/** The nearest half floats, with ties to even; infinite from 65,520 on. */
export function toHalfFloats(floats: Float32Array): Uint16Array<ArrayBuffer> {
  const bits = new Uint32Array(Float32Array.from(floats).buffer);
  return Uint16Array.from(bits, (word) => {
    const sign = (word >>> 16) & 0x8000;
    const rest = word & 0x7fff_ffff;
    if (rest > 0x7f80_0000) return sign | 0x7e00;
    // 65,520 and above round to infinity.
    if (rest >= 0x477f_f000) return sign | 0x7c00;
    // Below the smallest normal half every value is a multiple of 2^-24.
    if (rest < 0x3880_0000) return sign | multipleOfSmallest(rest);
    const rounded = rest + 0xfff + ((rest >>> 13) & 1);
    return sign | ((rounded - 0x3800_0000) >>> 13);
  });
}

/** Number of multiples of 2^-24 in the f32 with these bits, rounded half to even. */
function multipleOfSmallest(bits: number): number {
  const value = new Float32Array(Uint32Array.of(bits).buffer)[0] as number;
  const scaled = value / SMALLEST_HALF;
  const down = Math.floor(scaled);
  const left = scaled - down;
  return left > 0.5 || (left === 0.5 && down % 2 === 1) ? down + 1 : down;
}

/**
 * A floating-point tensor as f32, whatever its type in the file: F16 and BF16 are exact, F64 is rounded.
 * Throws `StorageError` `corrupt` for every other type.
 * @param bytes The whole file that `place` refers to.
 * @param path Names the file in errors.
 */
export function readFloats(
  bytes: Uint8Array,
  { name, dtype, begin, end }: TensorPlace,
  path: string,
): Float32Array {
  // Copied, because the data in the file may not be aligned to the element size.
  const copy = (): ArrayBuffer => bytes.slice(begin, end).buffer;
  switch (dtype) {
    case "F32":
      return new Float32Array(copy());
    case "F64":
      return new Float32Array(new Float64Array(copy()));
    case "BF16":
      return fromBrainFloats(new Uint16Array(copy()));
    case "F16":
      return fromHalfFloats(new Uint16Array(copy()));
    default:
      throw new StorageError("corrupt", path, `tensor "${name}" is ${dtype}, allowed F32, F16, BF16, F64`);
  }
}

/**
 * A bfloat16 is the upper half of an f32. A loop, because `Uint32Array.from` with a function takes over ten times as long,
 * which is most of the time to load a model.
 */
function fromBrainFloats(halves: Uint16Array): Float32Array {
  const bits = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) bits[i] = (halves[i] ?? 0) << 16;
  return new Float32Array(bits.buffer);
}
