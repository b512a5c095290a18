/** Transitions that machines pass to each other: a safetensors file, gzipped. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { REPLAY_FIELDS } from "../../../../src/rl/programs/replayFields.ts";
import { eachField, type ReplayRows } from "../../../../src/rl/runtime/replayRows.ts";
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../../../src/storage/index.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Largest file in bytes: a few bytes that swell into more are refused. */
const MOST = 4 * 1024 ** 3 - 1;

/** Transitions are sent once, and compressing them better takes longer than sending them. */
const LEVEL = 1;

/** @param count Transitions. */
export async function encodeRows(rows: ReplayRows, count: number): Promise<Uint8Array> {
  const tensors = REPLAY_FIELDS.map((field) => {
    const data = rows[field];
    return [field, { shape: [count, count === 0 ? 0 : data.length / count], data }] as const;
  });
  return pack(encodeSafetensors(tensors), { level: LEVEL });
}

/** @param path Its name in errors. @throws StorageError "corrupt" if it does not hold `count` transitions. */
export async function decodeRows(bytes: Uint8Array, count: number, path: string): Promise<ReplayRows> {
  const file = await unpack(bytes, { maxOutputLength: MOST }).catch((error: unknown) => {
    throw new StorageError("corrupt", path, "is not gzipped, or was cut off", { cause: error });
  });
  // Of a Buffer, slices are no copies.
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
