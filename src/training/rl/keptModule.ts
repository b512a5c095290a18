import { z } from "zod";
import { COMMIT_FILE } from "../../storage/checkpoint.ts";
import { type FileStore, joinPath, readCheckpoint } from "../../storage/index.ts";
import { RUN_FILE } from "../loop/runFiles.ts";
import { decodeModule, isModuleFile, moduleJson } from "./moduleFile.ts";
import type { KeptModule } from "./runState.ts";

const record = z.object({ user_module: moduleJson.optional() });

/**
 * The module that a checkpoint directory keeps of its run's environment; null for runs in other environments, and for
 * what is no checkpoint directory: whoever reads it whole says what is wrong with it.
 * @throws StorageError "corrupt" for a module that was changed.
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
