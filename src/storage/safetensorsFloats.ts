import type { BinaryFile } from "./fileStore.ts";
import type { FileDtype, TensorPlace } from "./safetensorsHeader.ts";
import { StorageError } from "./storageError.ts";

/** Of IEEE 754 binary16: a sign, 5 bits of exponent with bias 15, 10 of mantissa. */
const SMALLEST_HALF = 2 ** -24;

/** Exact conversion. */
export function fromHalfFloats(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(halves.length);
  const bits = new Uint32Array(floats.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i] ?? 0;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >>> 10) & 0x1f;
    const mantissa = half & 0x3ff;
    if (exponent === 0) floats[i] = (sign < 0 ? -1 : 1) * mantissa * SMALLEST_HALF;
    else bits[i] = sign | ((exponent === 0x1f ? 0xff : exponent + 112) << 23) | (mantissa << 13);
  }
  return floats;
}

/** The nearest half floats, with ties to even; infinite from 65,520 on. */
export function toHalfFloats(floats: Float32Array): Uint16Array<ArrayBuffer> {
  const bits = new Uint32Array(Float32Array.from(floats).buffer);
  const halves = new Uint16Array(bits.length);
  // A loop, as below: this is most of the time to keep a policy.
  for (let i = 0; i < bits.length; i++) halves[i] = halfOf(bits[i] ?? 0);
  return halves;
}

/** The bits of the half float nearest to the f32 with these bits. */
function halfOf(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const rest = word & 0x7fff_ffff;
  if (rest > 0x7f80_0000) return sign | 0x7e00;
  // 65,520 and above round to infinity.
  if (rest >= 0x477f_f000) return sign | 0x7c00;
  // Below the smallest normal half every value is a multiple of 2^-24.
  if (rest < 0x3880_0000) return sign | multipleOfSmallest(rest);
  const rounded = rest + 0xfff + ((rest >>> 13) & 1);
  return sign | ((rounded - 0x3800_0000) >>> 13);
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
export function readFloats(bytes: Uint8Array, place: TensorPlace, path: string): Float32Array {
  requireFloats(place, path);
  // Copied, because the data in the file may not be aligned to the element size.
  return floatsIn(bytes.slice(place.begin, place.end).buffer, place.dtype);
}

/** Bytes of an element, by type. */
const FLOATS: Partial<Readonly<Record<FileDtype, number>>> = { F32: 4, F16: 2, BF16: 2, F64: 8 };

/** @throws StorageError `corrupt` for a tensor that is not of floating-point numbers. */
export function requireFloats({ name, dtype }: TensorPlace, path: string): void {
  if (FLOATS[dtype] !== undefined) return;
  throw new StorageError("corrupt", path, `tensor "${name}" is ${dtype}, allowed F32, F16, BF16, F64`);
}

function floatsIn(buffer: ArrayBuffer, dtype: FileDtype): Float32Array {
  switch (dtype) {
    case "F64":
      return new Float32Array(new Float64Array(buffer));
    case "BF16":
      return fromBrainFloats(new Uint16Array(buffer));
    case "F16":
      return fromHalfFloats(new Uint16Array(buffer));
    default:
      return new Float32Array(buffer);
  }
}

/** Most elements of a part: 512 kB of F16, 1 MB as f32. */
export const FLOATS_PART = 2 ** 18;

/** Consecutive elements of a tensor, from the one with index `first`: of a matrix, whole rows if they fit into a part. */
export interface FloatsPart {
  readonly first: number;
  readonly values: Float32Array;
}

/** As {@link readFloats}, in parts, so that neither the file nor the tensor is in memory as a whole. */
export async function* readFloatParts(
  file: BinaryFile,
  place: TensorPlace,
  path: string,
): AsyncGenerator<FloatsPart> {
  requireFloats(place, path);
  const { begin, end, dtype, shape } = place;
  const width = FLOATS[dtype] ?? 1;
  const last = shape.length > 1 ? (shape.at(-1) ?? 1) : 1;
  const row = last > 0 && last <= FLOATS_PART ? last : 1;
  const most = Math.floor(FLOATS_PART / row) * row;
  for (let first = 0; begin + first * width < end; first += most) {
    const from = begin + first * width;
    const part = file.slice(from, Math.min(end, from + most * width));
    yield { first, values: floatsIn(await part.arrayBuffer(), dtype) };
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
