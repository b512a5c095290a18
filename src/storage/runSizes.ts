import type { FileStore } from "./fileStore.ts";
import { joinPath } from "./paths.ts";
import { checkpointDirectory, fameDirectory, logDirectory, runDirectory } from "./runLayout.ts";

/** Bytes of a run's files. */
export interface RunSizes {
  readonly checkpoints: number;
  readonly log: number;
  /** The hall of fame. */
  readonly fame: number;
  readonly manifest: number;
}

async function sizeOfTree(files: FileStore, dir: string): Promise<number> {
  let sum = 0;
  for (const { name, kind, size } of await files.list(dir))
    sum += kind === "directory" ? await sizeOfTree(files, joinPath(dir, name)) : size;
  return sum;
}

export async function sizesOf(files: FileStore, id: string): Promise<RunSizes> {
  const entries = await files.list(runDirectory(id));
  return {
    checkpoints: await sizeOfTree(files, checkpointDirectory(id)),
    log: await sizeOfTree(files, logDirectory(id)),
    fame: await sizeOfTree(files, fameDirectory(id)),
    manifest: entries.find(({ name }) => name === "manifest.json")?.size ?? 0,
  };
}
