import { z } from "zod";
import { reasonOf, StorageError } from "./storageError.ts";

/** Element types read and written, by their names in the file. */
export type SafetensorsDtype = "F32" | "I32" | "U32";

export type TensorData = Float32Array | Int32Array | Uint32Array;

/** A tensor in row-major order; `data` has as many elements as the product of `shape`. */
export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A file's content: tensors in file order, and its free text fields. */
export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

const LENGTH_BYTES = 8;
const MAX_HEADER_BYTES = 100_000_000;
const ELEMENT_BYTES = 4;
const METADATA_KEY = "__metadata__";

const tensorEntry = z.strictObject({
  dtype: z.enum(["F32", "I32", "U32"]),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

/**
 * The bytes of a safetensors file: u64 little-endian header length, JSON header padded with spaces to 8 bytes,
 * data without gaps in the order given. Throws `StorageError` `io` for data that does not fit its shape.
 */
export function encodeSafetensors(
  tensors: Iterable<readonly [string, StoredTensor]>,
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
 * Reads a safetensors file whole. Throws `StorageError` `corrupt` unless the header is sound: its length, its JSON,
 * types and shapes known, offsets in range, without gap or overlap, each as long as its type and shape say.
 * @param path Names the file in errors.
 */
export function decodeSafetensors(bytes: Uint8Array, path: string): SafetensorsFile {
  const fail = (found: string): StorageError =>
    new StorageError("corrupt", path, `${found}; it is truncated or no safetensors file, take another one`);

  if (bytes.byteLength < LENGTH_BYTES) throw fail(`has only ${bytes.byteLength} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getBigUint64(0, true);
  if (declared > BigInt(Math.min(MAX_HEADER_BYTES, bytes.byteLength - LENGTH_BYTES))) {
    throw fail(`declares a header of ${declared} bytes in a file of ${bytes.byteLength}`);
  }
  const dataStart = LENGTH_BYTES + Number(declared);
  const header = parseHeader(bytes.subarray(LENGTH_BYTES, dataStart), fail);

  let metadata: Record<string, string> = {};
  const placed: { name: string; entry: z.infer<typeof tensorEntry> }[] = [];
  for (const [name, value] of Object.entries(header)) {
    if (name === METADATA_KEY) {
      if (!isTextMap(value)) throw fail(`${METADATA_KEY} is not a map of texts`);
      metadata = value;
      continue;
    }
    const parsed = tensorEntry.safeParse(value);
    if (!parsed.success)
      throw fail(`the header of tensor "${name}" is wrong (${z.prettifyError(parsed.error)})`);
    placed.push({ name, entry: parsed.data });
  }

  placed.sort(
    (a, b) =>
      a.entry.data_offsets[0] - b.entry.data_offsets[0] || a.entry.data_offsets[1] - b.entry.data_offsets[1],
  );
  const tensors = new Map<string, StoredTensor>();
  let expected = 0;
  for (const { name, entry } of placed) {
    const [begin, end] = entry.data_offsets;
    if (begin !== expected) throw fail(`tensor "${name}" begins at ${begin}, where ${expected} is due`);
    const count = elementCount(entry.shape);
    if (end - begin !== count * ELEMENT_BYTES) {
      throw fail(`tensor "${name}" has ${end - begin} bytes for ${entry.dtype} [${entry.shape.join(", ")}]`);
    }
    if (dataStart + end > bytes.byteLength) throw fail(`tensor "${name}" ends beyond the file`);
    // A copy of its own: in the file the data need not lie on a multiple of four.
    const data = bytes.slice(dataStart + begin, dataStart + end).buffer;
    tensors.set(name, { shape: entry.shape, data: viewAs(entry.dtype, data) });
    expected = end;
  }
  if (dataStart + expected !== bytes.byteLength) {
    throw fail(`has ${bytes.byteLength - dataStart} bytes of data, ${expected} are described`);
  }
  return { tensors, metadata };
}

function parseHeader(bytes: Uint8Array, fail: (found: string) => StorageError): object {
  if (bytes[0] !== 0x7b) throw fail("has a header that does not begin with {");
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw fail(`has a header that is no JSON (${reasonOf(error)})`);
  }
  if (typeof header !== "object" || header === null) throw fail("has a header that is no object");
  return header;
}

function isTextMap(value: unknown): value is Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function dtypeOf(data: TensorData): SafetensorsDtype {
  if (data instanceof Float32Array) return "F32";
  return data instanceof Int32Array ? "I32" : "U32";
}

function viewAs(dtype: SafetensorsDtype, buffer: ArrayBufferLike): TensorData {
  if (dtype === "F32") return new Float32Array(buffer);
  return dtype === "I32" ? new Int32Array(buffer) : new Uint32Array(buffer);
}
