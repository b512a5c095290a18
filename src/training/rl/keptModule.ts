import { z } from "zod";
import { COMMIT_FILE } from "../../storage/checkpoints.ts";
import { type FileStore, joinPath, readCheckpoint } from "../../storage/index.ts";
import { RUN_FILE } from "../loop/runFiles.ts";
import { decodeModule, isModuleFile, moduleJson } from "./moduleFile.ts";
import type { KeptModule } from "./runState.ts";

const record = z.object({ user_module: moduleJson.optional() });

/**
 * The module of the run's environment that is stored in a checkpoint directory. Null for runs in other
 * environments, and for paths that are not checkpoint directories, whose errors are reported when the
 * checkpoint is loaded.
 * @throws StorageError "corrupt" for a changed module.
 */
export async function keptModule(store: FileStore, path: string): Promise<KeptModule | null> {
  if (!(await store.exists(joinPath(path, COMMIT_FILE)))) return null;
  const { files } = await readCheckpoint(store, path, (file) => file === RUN_FILE || isModuleFile(file));
  const found = record.safeParse(jsonOf(files.get(RUN_FILE)));
  const module = found.success ? found.data.user_module : undefined;
  return module ? decodeModule(module, files, path) : null;
}

function jsonOf(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
