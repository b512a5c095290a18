import type { FileStore } from "./fileStore.ts";
import { joinPath } from "./paths.ts";

/** Copies all files under `from` in one store to `to` in another. */
export async function copyTree(
  source: FileStore,
  from: string,
  target: FileStore,
  to: string,
): Promise<void> {
  for (const { name, kind } of await source.list(from)) {
    const [path, copy] = [joinPath(from, name), joinPath(to, name)];
    if (kind === "directory") await copyTree(source, path, target, copy);
    else await target.write(copy, await source.read(path));
  }
}
