import { isPlainRelativePath, joinPath, randomNonce } from "./paths.ts";
import { StorageError } from "./storageError.ts";

/**
 * The layout's version is part of every path, so that a later layout can coexist with it during migration.
 */
export const RUNS_DIRECTORY = "/v1/runs";

export const runDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id);
export const logDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "log");
export const checkpointDirectory = (id: string): string => joinPath(RUNS_DIRECTORY, id, "ck");
/** Policies of elites, each committed like a checkpoint. */
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
