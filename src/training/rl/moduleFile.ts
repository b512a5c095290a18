/** The module of a user's environment as a file of a checkpoint, so that a stored run is complete. */
import { z } from "zod";
import { isRobot } from "../../sandbox/environments.ts";
import { COMMIT_FILE } from "../../storage/checkpoints.ts";
import { sha256HexNow } from "../../storage/files.ts";
import { type FileStore, joinPath, readCheckpoint, StorageError } from "../../storage/index.ts";
import { missingFile, RUN_FILE } from "../loop/runFiles.ts";
import type { KeptModule } from "./runState.ts";

/** Its record in `run.json`. */
export const moduleJson = z.object({
  name: z.string().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Name of the file, in the same directory as `run.json`. */
  file: z.string().refine(isModuleFile, "is not a module file"),
});

/** Whether a file of a checkpoint is the module of its run. */
function isModuleFile(file: string): boolean {
  return /^environment\.(?:js|ts|json)$/.test(file);
}

const JAVASCRIPT = /\.m?js$/;

export function encodeModule({ name, sha256, source }: KeptModule) {
  const ending = isRobot(source) ? "json" : JAVASCRIPT.test(name) ? "js" : "ts";
  const file = `environment.${ending}`;
  return { record: { name, sha256, file }, bytes: new TextEncoder().encode(source) };
}

/** @throws StorageError "corrupt" for a missing or changed file. */
export function decodeModule(
  { name, sha256, file }: z.output<typeof moduleJson>,
  files: ReadonlyMap<string, Uint8Array>,
  dir: string,
): KeptModule {
  const bytes = files.get(file);
  if (!bytes) throw missingFile(dir, file);
  if (sha256HexNow(bytes) !== sha256)
    throw new StorageError(
      "corrupt",
      `${dir}/${file}`,
      "is not the module of its run; use an older checkpoint",
    );
  return { name, sha256, source: new TextDecoder().decode(bytes) };
}

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
