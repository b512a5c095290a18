import type { FileStore } from "./fileStore.ts";
import { joinPath } from "./paths.ts";
import { runDirectory } from "./runLayout.ts";
import { encodeRunManifest, type RunManifest, type RunRecord } from "./runRecord.ts";
import { deleteRunFiles, type RunParts, refreshRecord, UNFINISHED_FILE } from "./runRecovery.ts";

/** Copies all files under `from` in one store to `to` in another. */
async function copyTree(source: FileStore, from: string, target: FileStore, to: string): Promise<void> {
  for (const { name, kind } of await source.list(from)) {
    const [path, copy] = [joinPath(from, name), joinPath(to, name)];
    if (kind === "directory") await copyTree(source, path, target, copy);
    else await target.write(copy, await source.read(path));
  }
}

/** Writes a checked import as the run `id`, whose lock must be held; returns null if that id is in use. */
export async function writeImport(
  parts: RunParts,
  id: string,
  source: FileStore,
  manifest: RunManifest,
): Promise<RunRecord | null> {
  const { files } = parts;
  const dir = runDirectory(id);
  if (await files.exists(dir)) return null;
  try {
    await files.write(joinPath(dir, UNFINISHED_FILE), new Uint8Array(0));
    for (const part of ["log", "elites", "populations", "fame", "ck"])
      await copyTree(source, part, files, joinPath(dir, part));
    await files.write(joinPath(dir, "manifest.json"), encodeRunManifest({ ...manifest, id }));
    await files.remove(joinPath(dir, UNFINISHED_FILE));
    return (await refreshRecord(parts, id, "the run was imported")).record;
  } catch (error) {
    await deleteRunFiles(parts, id).catch(() => undefined);
    throw error;
  }
}
