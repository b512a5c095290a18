import { commitCheckpoint, readCheckpoint } from "./checkpoint.ts";
import type { CommitRecord } from "./commitRecord.ts";
import type { FileStore } from "./fileStore.ts";
import { memoryFileStore } from "./memoryFileStore.ts";
import { openZip } from "./openZip.ts";
import { isPlainRelativePath } from "./paths.ts";
import { estimateFits } from "./space.ts";
import { StorageError, storageFull } from "./storageError.ts";

/**
 * Creates a checkpoint from a zip of a checkpoint directory, including COMMIT.json. Everything is checked
 * first: paths, sizes and hashes.
 * @param dir The new checkpoint's directory, which must not exist yet.
 * @param label Name of the zip in errors.
 * @throws StorageError: `corrupt`, `version`, or `full`, and as `commitCheckpoint`.
 */
export async function unpackCheckpoint(
  zip: Uint8Array,
  target: FileStore,
  dir: string,
  label: string,
): Promise<CommitRecord> {
  const refuse = (found: string): StorageError =>
    new StorageError("corrupt", label, `${found}; nothing was written, fetch the checkpoint again`);
  const { total, unpack } = openZip(zip, isPlainRelativePath, refuse);
  if (!(await estimateFits(target, total)).fits) throw storageFull(label, total);
  const store = memoryFileStore();
  for (const [path, bytes] of unpack()) await store.write(`${label}/${path}`, bytes);
  const { commit, files } = await readCheckpoint(store, label);
  return commitCheckpoint(target, dir, files, commit);
}
