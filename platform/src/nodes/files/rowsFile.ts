/** Transitions as a gzipped safetensors file, which machines exchange. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { eachField, REPLAY_FIELDS, type ReplayRows } from "../../../../src/hosting/index.ts";
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../../../src/storage/index.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Maximum size of an unpacked file in bytes. Guards against decompression bombs. */
const MOST = 4 * 1024 ** 3 - 1;

/** Transitions are sent only once, and a higher level would cost more time than it saves. */
const LEVEL = 1;

/** @param count Number of transitions. */
export async function encodeRows(rows: ReplayRows, count: number): Promise<Uint8Array> {
  const tensors = REPLAY_FIELDS.map((field) => {
    const data = rows[field];
    return [field, { shape: [count, count === 0 ? 0 : data.length / count], data }] as const;
  });
  return pack(encodeSafetensors(tensors), { level: LEVEL });
}

/** @param path Name for errors. @throws StorageError "corrupt" if it does not contain `count` transitions. */
export async function decodeRows(bytes: Uint8Array, count: number, path: string): Promise<ReplayRows> {
  const file = await unpack(bytes, { maxOutputLength: MOST }).catch((error: unknown) => {
    throw new StorageError("corrupt", path, "is not gzipped, or is truncated", { cause: error });
  });
  // Copied to a Uint8Array, as slices of a Buffer share its memory.
  const { tensors } = decodeSafetensors(new Uint8Array(file), path);
  return eachField((field) => {
    const stored = tensors.get(field);
    if (!stored) throw new StorageError("corrupt", path, `has no field ${field}`);
    if (stored.shape.length === 2 && stored.shape[0] === count) return stored.data;
    throw new StorageError(
      "corrupt",
      path,
      `has [${stored.shape.join(", ")}] in field ${field}, allowed ${count} transitions`,
    );
  });
}
