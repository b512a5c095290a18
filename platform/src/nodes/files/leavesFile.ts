/** Priorities of a memory's rows, as machines pass them to each other: a safetensors file. */
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../../../src/storage/index.ts";

const LEAVES = "leaves";

/** @param leaves By row, as a member has them. */
export const encodeLeaves = (leaves: Float32Array): Uint8Array =>
  encodeSafetensors([[LEAVES, { shape: [leaves.length], data: leaves }]]);

/** @param path Its name in errors. @throws StorageError "corrupt" if the file holds no priorities. */
export function decodeLeaves(bytes: Uint8Array, path: string): Float32Array {
  const leaves = decodeSafetensors(bytes, path).tensors.get(LEAVES)?.data;
  if (leaves instanceof Float32Array) return leaves;
  throw new StorageError("corrupt", path, "has no priorities");
}
