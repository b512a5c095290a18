import { fromHalfFloats } from "./halfFloats.ts";
import type { TensorPlace } from "./safetensorsHeader.ts";
import { StorageError } from "./storageError.ts";

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

/** A bfloat16 is the upper half of an f32. */
function fromBrainFloats(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (bits) => bits << 16).buffer);
}
