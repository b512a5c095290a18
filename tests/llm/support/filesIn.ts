import type { FileStore } from "../../../src/storage/index.ts";

/** All files below a directory, by their paths in it, sorted. */
export async function filesIn(store: FileStore, dir: string): Promise<string[]> {
  const entries = await store.list(dir);
  const below = await Promise.all(
    entries.map(async ({ name, kind }) =>
      kind === "file" ? [name] : (await filesIn(store, `${dir}/${name}`)).map((file) => `${name}/${file}`),
    ),
  );
  return below.flat().sort();
}
