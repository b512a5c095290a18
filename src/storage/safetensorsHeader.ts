import { z } from "zod";
import type { BinaryFile } from "./fileStore.ts";
import { reasonOf, StorageError } from "./storageError.ts";

/** Element types of the format, by their names in the file, with the bytes of one element. */
const ELEMENT_BYTES = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  I16: 2,
  U16: 2,
  F16: 2,
  BF16: 2,
  I32: 4,
  U32: 4,
  F32: 4,
  I64: 8,
  U64: 8,
  F64: 8,
} as const;

/** An element type that a file may have, whether or not this library reads it. */
export type FileDtype = keyof typeof ELEMENT_BYTES;

/** The location of a tensor in its file. */
export interface TensorPlace {
  readonly name: string;
  readonly dtype: FileDtype;
  readonly shape: readonly number[];
  /** Offset of the first byte in the file, and the offset after the last. */
  readonly begin: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  /** In the order of their data. */
  readonly places: readonly TensorPlace[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** Size of the header length field at the start of a file, in bytes. */
export const LENGTH_BYTES = 8;
const MAX_HEADER_BYTES = 100_000_000;
/** The header key for text metadata instead of a tensor. */
export const METADATA_KEY = "__metadata__";

const dtypes = Object.keys(ELEMENT_BYTES) as FileDtype[];

const tensorEntry = z.strictObject({
  dtype: z.enum(dtypes),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

/**
 * The description of a safetensors file, without its data. Throws `StorageError` `corrupt` unless the header
 * is valid. Its length, JSON, types and shapes must be valid. Offsets must be in range, without gaps or
 * overlaps, and must match the types and shapes. The file must be neither shorter nor longer than described.
 * @param bytes The file, or its start up to the data.
 * @param path Names the file in errors.
 * @param size Bytes of the file.
 */
export function safetensorsHeader(
  bytes: Uint8Array,
  path: string,
  size = bytes.byteLength,
): SafetensorsHeader {
  const fail = (found: string): StorageError =>
    new StorageError("corrupt", path, `${found}; it is truncated or not a safetensors file; use another one`);

  if (size < LENGTH_BYTES) throw fail(`has only ${size} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getBigUint64(0, true);
  if (declared > BigInt(Math.min(MAX_HEADER_BYTES, size - LENGTH_BYTES))) {
    throw fail(`declares a header of ${declared} bytes in a file of ${size}`);
  }
  const dataStart = LENGTH_BYTES + Number(declared);
  const header = parseHeader(bytes.subarray(LENGTH_BYTES, dataStart), fail);

  let metadata: Record<string, string> = {};
  const entries: { name: string; entry: z.infer<typeof tensorEntry> }[] = [];
  for (const [name, value] of Object.entries(header)) {
    if (name === METADATA_KEY) {
      if (!isTextMap(value)) throw fail(`${METADATA_KEY} is not a map of texts`);
      metadata = value;
      continue;
    }
    const parsed = tensorEntry.safeParse(value);
    if (!parsed.success)
      throw fail(`the header of tensor "${name}" is invalid (${z.prettifyError(parsed.error)})`);
    entries.push({ name, entry: parsed.data });
  }

  entries.sort(
    (a, b) =>
      a.entry.data_offsets[0] - b.entry.data_offsets[0] || a.entry.data_offsets[1] - b.entry.data_offsets[1],
  );
  let expected = 0;
  const places = entries.map(({ name, entry: { dtype, shape, data_offsets } }): TensorPlace => {
    const [begin, end] = data_offsets;
    if (begin !== expected) throw fail(`tensor "${name}" begins at ${begin}, where ${expected} was expected`);
    if (end - begin !== elementCount(shape) * ELEMENT_BYTES[dtype]) {
      throw fail(`tensor "${name}" has ${end - begin} bytes for ${dtype} [${shape.join(", ")}]`);
    }
    if (dataStart + end > size) throw fail(`tensor "${name}" ends beyond the file`);
    expected = end;
    return { name, dtype, shape, begin: dataStart + begin, end: dataStart + end };
  });
  if (dataStart + expected !== size) {
    throw fail(`has ${size - dataStart} bytes of data, ${expected} are described`);
  }
  return { places, metadata };
}

/** Bytes that are read first; the headers of most models are shorter. */
const FIRST_BYTES = 65_536;

/** As {@link safetensorsHeader}, reading no more of the file than its header. */
export async function readSafetensorsHeader(file: BinaryFile, path: string): Promise<SafetensorsHeader> {
  const start = async (length: number) => new Uint8Array(await file.slice(0, length).arrayBuffer());
  const first = await start(FIRST_BYTES);
  if (first.byteLength < LENGTH_BYTES) return safetensorsHeader(first, path, file.size);
  const declared = Number(new DataView(first.buffer).getBigUint64(0, true));
  const needed = LENGTH_BYTES + Math.min(declared, MAX_HEADER_BYTES);
  return safetensorsHeader(needed <= first.byteLength ? first : await start(needed), path, file.size);
}

function parseHeader(bytes: Uint8Array, fail: (found: string) => StorageError): object {
  if (bytes[0] !== 0x7b) throw fail("has a header that does not begin with {");
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw fail(`has a header that is not valid JSON (${reasonOf(error)})`);
  }
  if (typeof header !== "object" || header === null) throw fail("has a header that is not an object");
  return header;
}

function isTextMap(value: unknown): value is Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
