/** The directory that a run writes to. */
import { baseName, type FileStore, joinPath, unusedDirectory } from "../storage/index.ts";

const MANIFEST_FILE = "manifest.yaml";

/** `<manifest>-<date>-<time>`, which nothing has yet. */
export function freshDirectory(store: FileStore, manifestPath: string, now: Date): Promise<string> {
  const name = baseName(manifestPath.replaceAll("\\", "/")).replace(/\.(ya?ml|json)$/i, "") || "run";
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return unusedDirectory(store, `${name}-${date}-${time}`);
}

/**
 * Writes the manifest, so that a directory that cannot be written shows before training and not after it.
 * What is returned takes it away again, for a run that never starts.
 * @throws StorageError.
 */
export async function openDirectory(
  store: FileStore,
  dir: string,
  manifest: string,
): Promise<() => Promise<void>> {
  const path = joinPath(dir, MANIFEST_FILE);
  const existed = await store.exists(dir);
  const before = existed && (await store.exists(path)) ? await store.read(path) : null;
  await store.write(path, new TextEncoder().encode(manifest));
  return async () => {
    if (before) return store.write(path, before);
    await store.remove(path);
    if (!existed && (await store.list(dir)).length === 0) await store.remove(dir);
  };
}
