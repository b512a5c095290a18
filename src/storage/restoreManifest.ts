import { type CheckpointInfo, readCheckpoint } from "./checkpoint.ts";
import type { FileStore } from "./fileStore.ts";
import { isStorageError } from "./storageError.ts";

/** Tells how to recover a run's manifest from the caller's checkpoints. */
export interface ManifestRecovery {
  /** The file in a checkpoint that has the manifest. */
  readonly file: string;
  /** The arguments of `createRun` that start that run again; null if the file does not contain them. */
  readonly read: (bytes: Uint8Array) => { readonly name: string; readonly manifest: unknown } | null;
}

/**
 * The name and manifest of a run from its newest usable checkpoint; null if there is none.
 * `checkpoints` are oldest first.
 */
export async function manifestFromCheckpoint(
  store: FileStore,
  checkpoints: readonly CheckpointInfo[],
  { file, read }: ManifestRecovery,
): Promise<{ readonly name: string; readonly manifest: unknown; readonly checkpoint: string } | null> {
  for (const { name: checkpoint, dir } of checkpoints.toReversed()) {
    try {
      const { files } = await readCheckpoint(store, dir, (path) => path === file);
      const bytes = files.get(file);
      const found = bytes && read(bytes);
      if (found) return { ...found, checkpoint };
    } catch (error) {
      if (!isStorageError(error, "corrupt") && !isStorageError(error, "not_found")) throw error;
    }
  }
  return null;
}
