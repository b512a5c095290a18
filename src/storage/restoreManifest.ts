import { type CheckpointInfo, readCheckpoint } from "./checkpoint.ts";
import type { FileStore } from "./fileStore.ts";
import { isStorageError } from "./storageError.ts";

/** Where a caller's checkpoints say how their run was started. */
export interface ManifestRecovery {
  /** The file of a checkpoint that says it. */
  readonly file: string;
  /** What `createRun` would be given to start that run again; null when the file does not say. */
  readonly read: (bytes: Uint8Array) => { readonly name: string; readonly manifest: unknown } | null;
}

/** What the newest checkpoint that can tell says of its run; null when none can. `checkpoints` are oldest first. */
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
