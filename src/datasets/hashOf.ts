import { sha256Hasher } from "../storage/files.ts";
import type { BinaryFile } from "../storage/index.ts";

/** Bytes read at a time. */
const BLOCK = 2 ** 23;

/** SHA-256 of the concatenated files. */
export async function hashOf(files: readonly BinaryFile[]): Promise<string> {
  const hasher = sha256Hasher();
  for (const file of files)
    for (let at = 0; at < file.size; at += BLOCK)
      hasher.update(new Uint8Array(await file.slice(at, Math.min(file.size, at + BLOCK)).arrayBuffer()));
  return hasher.digest();
}
