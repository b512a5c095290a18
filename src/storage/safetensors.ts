import { fromHalfFloats } from "./safetensorsFloats.ts";
import {
  elementCount,
  type FileDtype,
  LENGTH_BYTES,
  METADATA_KEY,
  safetensorsHeader,
} from "./safetensorsHeader.ts";
import { StorageError } from "./storageError.ts";

/** Element types of this library's own files, by their names in the file. */
export type SafetensorsDtype = "F32" | "I32" | "U32" | "F16";

export type TensorData = Float32Array | Int32Array | Uint32Array;

/** A tensor in row-major order; `data` has as many elements as the product of `shape`. */
export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A file's content: tensors in file order, and its text metadata. */
export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * The bytes of a safetensors file: u64 little-endian header length, JSON header padded with spaces to 8 bytes,
 * data without gaps in the order given. 16-bit words are half floats, and bytes are bytes, which only `safetensorsHeader` reads. Throws `StorageError` `io` for data that does not fit
 * its shape.
 */
export function encodeSafetensors(
  tensors: Iterable<
    readonly [
      string,
      { readonly shape: readonly number[]; readonly data: TensorData | Uint16Array | Uint8Array },
    ]
  >,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const entries = [...tensors];
  const header: [string, unknown][] = [];
  if (Object.keys(metadata).length > 0) header.push([METADATA_KEY, metadata]);
  const names = new Set([METADATA_KEY]);
  let offset = 0;
  for (const [name, { shape, data }] of entries) {
    if (names.has(name)) throw new StorageError("io", name, "is a name in use; give each tensor its own");
    names.add(name);
    if (elementCount(shape) !== data.length) {
      throw new StorageError("io", name, `has ${data.length} elements for shape [${shape.join(", ")}]`);
    }
    const end = offset + data.byteLength;
    header.push([name, { dtype: dtypeOf(data), shape, data_offsets: [offset, end] }]);
    offset = end;
  }
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const headerBytes = Math.ceil(text.byteLength / 8) * 8;
  const bytes = new Uint8Array(LENGTH_BYTES + headerBytes + offset);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(headerBytes), true);
  bytes.set(text, LENGTH_BYTES);
  bytes.fill(0x20, LENGTH_BYTES + text.byteLength, LENGTH_BYTES + headerBytes);
  let position = LENGTH_BYTES + headerBytes;
  for (const [, { data }] of entries) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), position);
    position += data.byteLength;
  }
  return bytes;
}

/**
 * Reads a whole file of this library; half floats become 32-bit floats. Throws `StorageError` `corrupt` as {@link safetensorsHeader} does, and
 * for tensors of an element type that this library does not write; `readFloats` reads those of models.
 * @param path Names the file in errors.
 */
export function decodeSafetensors(bytes: Uint8Array, path: string): SafetensorsFile {
  const { places, metadata } = safetensorsHeader(bytes, path);
  const tensors = new Map<string, StoredTensor>();
  for (const { name, dtype, shape, begin, end } of places) {
    if (!isOwnDtype(dtype)) {
      throw new StorageError(
        "corrupt",
        path,
        `tensor "${name}" is ${dtype}, allowed ${OWN_DTYPES.join(", ")}`,
      );
    }
    // Copied, because the data in the file may not be aligned to four bytes.
    tensors.set(name, { shape, data: viewAs(dtype, bytes.slice(begin, end).buffer) });
  }
  return { tensors, metadata };
}

const OWN_DTYPES: readonly SafetensorsDtype[] = ["F32", "I32", "U32", "F16"];

const isOwnDtype = (dtype: FileDtype): dtype is SafetensorsDtype =>
  OWN_DTYPES.some((known) => known === dtype);

function dtypeOf(data: TensorData | Uint16Array | Uint8Array): FileDtype {
  if (data instanceof Uint8Array) return "U8";
  if (data instanceof Uint16Array) return "F16";
  if (data instanceof Float32Array) return "F32";
  return data instanceof Int32Array ? "I32" : "U32";
}

function viewAs(dtype: SafetensorsDtype, buffer: ArrayBufferLike): TensorData {
  if (dtype === "F16") return fromHalfFloats(new Uint16Array(buffer));
  if (dtype === "F32") return new Float32Array(buffer);
  return dtype === "I32" ? new Int32Array(buffer) : new Uint32Array(buffer);
}
