/** The priorities of a replay buffer's rows as a safetensors file, which machines exchange. */
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../../../src/storage/index.ts";

const LEAVES = "leaves";

/** @param leaves Priorities by row, in the member's layout. */
export const encodeLeaves = (leaves: Float32Array): Uint8Array =>
  encodeSafetensors([[LEAVES, { shape: [leaves.length], data: leaves }]]);

/** @param path Name for errors. @throws StorageError "corrupt" if the file contains no priorities. */
export function decodeLeaves(bytes: Uint8Array, path: string): Float32Array {
  const leaves = decodeSafetensors(bytes, path).tensors.get(LEAVES)?.data;
  if (leaves instanceof Float32Array) return leaves;
  throw new StorageError("corrupt", path, "has no priorities");
}
