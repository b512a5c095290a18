import type { FileStore } from "./fileStore.ts";
import { isPlainRelativePath, joinPath, randomNonce } from "./paths.ts";
import { StorageError } from "./storageError.ts";

/** Bytes of a run's files. */
export interface RunSizes {
  readonly checkpoints: number;
  readonly log: number;
  /** Elites of its generations, and the hall of fame of earlier versions. */
  readonly elites: number;
  /** Policies of all members of its generations. */
  readonly populations: number;
  readonly manifest: number;
}

/** Bytes of all files in a directory and below. */
export async function sizeOfTree(files: FileStore, dir: string): Promise<number> {
  let sum = 0;
  for (const { name, kind, size } of await files.list(dir))
    sum += kind === "directory" ? await sizeOfTree(files, joinPath(dir, name)) : size;
  return sum;
}

/** @param kept Bytes of policies of its generations, whose files would take long to list. */
export async function sizesOf(
  files: FileStore,
  id: string,
  kept: Pick<RunSizes, "elites" | "populations">,
): Promise<RunSizes> {
  const entries = await files.list(runDirectory(id));
  return {
    checkpoints: await sizeOfTree(files, checkpointDirectory(id)),
    log: await sizeOfTree(files, logDirectory(id)),
    elites: (await sizeOfTree(files, fameDirectory(id))) + kept.elites,
    populations: kept.populations,
    manifest: entries.find(({ name }) => name === "manifest.json")?.size ?? 0,
  };
}

/**
 * The layout's version is part of every path, so that a later layout can coexist with it during migration.
 */
export const RUNS_DIRECTORY = "/v1/runs";

export const runDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id);
export const logDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "log");
export const checkpointDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "ck");
/** Policies of elites: see `EliteDirectory`. */
export const eliteDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "elites");
/** Policies of all members of generations: see `EliteDirectory`. */
export const populationDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "populations");
/** Policies of elites that earlier versions stored, each committed like a checkpoint. */
export const fameDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "fame");

/** Whether `id` can name a directory in every store. */
export function isRunId(id: string): boolean {
  return !id.includes("/") && isPlainRelativePath(id);
}

/** Throws `StorageError` `io` unless `id` is a run id. */
export function checkRunId(id: string): void {
  if (!isRunId(id)) {
    throw new StorageError("io", id, 'is not a valid run id; use letters, digits, "_", "-" and "."');
  }
}

export function newRunId(): string {
  return `run-${Date.now().toString(36)}-${randomNonce()}`;
}
