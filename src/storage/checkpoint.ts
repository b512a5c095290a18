import type { CheckpointMeta, CommitRecord } from "./commitRecord.ts";
import {
  CHECKPOINT_FORMAT,
  CHECKPOINT_VERSION,
  decodeCommit,
  describeFiles,
  encodeCommit,
} from "./commitRecord.ts";
import type { FileEntry, FileStore } from "./fileStore.ts";
import { isPlainRelativePath, isTemporaryName, joinPath } from "./paths.ts";
import { sha256Hex } from "./sha256.ts";
import { isStorageError, reasonOf, StorageError } from "./storageError.ts";

/** The file whose presence makes a directory a checkpoint. */
export const COMMIT_FILE = "COMMIT.json";
/** The same content before the commit: it marks a directory that rlkit may delete. */
export const PENDING_FILE = "COMMIT.json.pending";

/** A committed checkpoint whose files have the right sizes; hashes are verified on reading. */
export interface CheckpointInfo {
  readonly name: string;
  readonly dir: string;
  readonly commit: CommitRecord;
}

/** A directory that is not a good checkpoint, and its problem. */
export interface CheckpointProblem {
  readonly name: string;
  readonly dir: string;
  readonly message: string;
}

/** Whether the caller owns a directory of the parent, by name; defaults to all directories. */
export type OwnsDirectory = (name: string) => boolean;

/**
 * Writes `files` (relative path to bytes) into the new directory `dir`. The last step commits them by one
 * rename. Until then the directory is not a checkpoint. An existing checkpoint is never overwritten.
 * Throws `StorageError`: `full`, `locked` and `io` of the store, or `io` when `dir` is in use. Files written
 * before the error are removed if possible, otherwise by `recoverCheckpoints`.
 */
export async function commitCheckpoint(
  store: FileStore,
  dir: string,
  files: ReadonlyMap<string, Uint8Array>,
  meta: CheckpointMeta,
): Promise<CommitRecord> {
  for (const path of files.keys()) {
    if (!isPlainRelativePath(path) || path.startsWith(COMMIT_FILE)) {
      throw new StorageError(
        "io",
        joinPath(dir, path),
        "is not a valid file name in a checkpoint; rename it",
      );
    }
  }
  await claimDirectory(store, dir);
  const record: CommitRecord = {
    format: CHECKPOINT_FORMAT,
    version: CHECKPOINT_VERSION,
    sequence: meta.sequence ?? Date.now(),
    generation: meta.generation,
    global_step: meta.global_step,
    spec_hash: meta.spec_hash,
    fitness: finiteOrNull(meta.fitness),
    at: meta.at ?? Date.now(),
    files: await describeFiles(files),
  };
  const pending = await encodeCommit(record, dir);
  try {
    await store.write(joinPath(dir, PENDING_FILE), pending);
    for (const [path, bytes] of files) await store.write(joinPath(dir, path), bytes);
    // A platform that reports success but lost bytes must not produce a checkpoint, or an unreadable commit.
    await decodeCommit(await store.read(joinPath(dir, PENDING_FILE)), joinPath(dir, PENDING_FILE));
    const problem = await findSizeProblem(store, dir, record);
    if (problem !== null) {
      throw new StorageError(
        "io",
        dir,
        `${problem} right after writing; check the disk. It was not committed`,
      );
    }
    await store.rename(joinPath(dir, PENDING_FILE), joinPath(dir, COMMIT_FILE));
  } catch (error) {
    // The first error is the one to report. Recovery removes any files that remain.
    await removeCheckpoint(store, dir).catch(() => undefined);
    throw error;
  }
  return record;
}

/**
 * Reads a checkpoint's files and verifies sizes and hashes. `only` limits which files are read and hashed;
 * sizes are verified for all. Throws `StorageError`: `not_found` (no such directory), `corrupt` (never
 * committed, truncated, changed), `version` (another format version).
 */
export async function readCheckpoint(
  store: FileStore,
  dir: string,
  only: (path: string) => boolean = () => true,
): Promise<{ readonly commit: CommitRecord; readonly files: Map<string, Uint8Array> }> {
  const commit = await readCommit(store, dir);
  const problem = await findSizeProblem(store, dir, commit);
  if (problem !== null) throw truncated(dir, problem);
  const files = new Map<string, Uint8Array>();
  for (const { path, sha256 } of commit.files) {
    if (!only(path)) continue;
    const bytes = await store.read(joinPath(dir, path));
    if ((await sha256Hex(bytes)) !== sha256) throw truncated(dir, `${path} is corrupt (its SHA-256 differs)`);
    files.set(path, bytes);
  }
  return { commit, files };
}

/** The committed checkpoints directly under `parent` whose files have the right sizes, oldest first. */
export async function listCheckpoints(
  store: FileStore,
  parent: string,
  owns: OwnsDirectory = () => true,
): Promise<CheckpointInfo[]> {
  return (await inspectCheckpoints(store, parent, owns)).complete;
}

/**
 * Deletes the leftovers of a crash under `parent`: checkpoint directories that were never committed.
 * Directories in which no checkpoint was begun stay. So do damaged checkpoints and those of other format
 * versions, which are reported. Call it only while nothing else writes checkpoints there.
 */
export async function recoverCheckpoints(
  store: FileStore,
  parent: string,
  owns: OwnsDirectory = () => true,
): Promise<{
  readonly dropped: readonly CheckpointProblem[];
  readonly damaged: readonly CheckpointProblem[];
  readonly checkpoints: readonly CheckpointInfo[];
}> {
  const found = await inspectCheckpoints(store, parent, owns);
  for (const { dir } of found.uncommitted) await removeCheckpoint(store, dir);
  for (const { dir } of found.complete) {
    if (!(await store.isLink?.(dir))) await store.remove(joinPath(dir, PENDING_FILE));
  }
  return { dropped: found.uncommitted, damaged: found.damaged, checkpoints: found.complete };
}

/**
 * Deletes all good checkpoints except the newest `keepLast` (at least 1) and those named in `keep`; damaged
 * ones stay. Call it after the newer one is committed. If the clock orders the checkpoints, include the new
 * one in `keep`. Returns the deleted names.
 */
export async function pruneCheckpoints(
  store: FileStore,
  parent: string,
  options: { readonly keepLast: number; readonly keep?: readonly string[]; readonly owns?: OwnsDirectory },
): Promise<string[]> {
  const complete = await listCheckpoints(store, parent, options.owns);
  const kept = new Set([
    ...complete.slice(-Math.max(1, options.keepLast)).map(({ name }) => name),
    ...(options.keep ?? []),
  ]);
  const deleted = complete.filter(({ name }) => !kept.has(name));
  for (const { dir } of deleted) await removeCheckpoint(store, dir);
  return deleted.map(({ name }) => name);
}

/**
 * Removes a checkpoint's directory; if it is a link, only the link. The commit is removed first
 * and the pending mark last. So a crash leaves neither half a checkpoint nor a directory that
 * recovery would not recognise.
 */
export async function removeCheckpoint(store: FileStore, dir: string): Promise<void> {
  if (await store.isLink?.(dir)) return store.remove(dir);
  const commit = joinPath(dir, COMMIT_FILE);
  if (await store.exists(commit)) await store.rename(commit, joinPath(dir, PENDING_FILE));
  for (const { name } of await store.list(dir)) {
    if (name !== PENDING_FILE) await store.remove(joinPath(dir, name));
  }
  await store.remove(dir);
}

/** The checkpoint with the highest fitness, the newest of equals; undefined if none has a fitness. */
export function bestCheckpoint(checkpoints: readonly CheckpointInfo[]): CheckpointInfo | undefined {
  let best: CheckpointInfo | undefined;
  for (const checkpoint of checkpoints) {
    const fitness = checkpoint.commit.fitness;
    if (fitness !== null && fitness >= (best?.commit.fitness ?? Number.NEGATIVE_INFINITY)) best = checkpoint;
  }
  return best;
}

/** `dir` if it does not exist, else the first unused name of `dir-2`, `dir-3`, … */
export async function unusedDirectory(store: FileStore, dir: string): Promise<string> {
  let candidate = dir;
  for (let number = 2; await store.exists(candidate); number++) candidate = `${dir}-${number}`;
  return candidate;
}

function finiteOrNull(value: number | null | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The commit of a checkpoint; errors as for `readCheckpoint`. */
async function readCommit(store: FileStore, dir: string): Promise<CommitRecord> {
  const path = joinPath(dir, COMMIT_FILE);
  let bytes: Uint8Array;
  try {
    bytes = await store.read(path);
  } catch (error) {
    if (!isStorageError(error, "not_found")) throw error;
    if (!(await store.exists(dir))) {
      throw new StorageError("not_found", dir, "no checkpoint is there; check the path", { cause: error });
    }
    throw new StorageError(
      "corrupt",
      dir,
      `has no ${COMMIT_FILE}: it is not a checkpoint, or was interrupted before the commit; use an earlier one`,
    );
  }
  return decodeCommit(bytes, path);
}

/** Makes sure that `dir` is free: removes leftovers of a crash and rejects anything else. */
async function claimDirectory(store: FileStore, dir: string): Promise<void> {
  const entries = await store.list(dir);
  if (entries.length === 0) return;
  if (!holdsOnlyLeftovers(entries)) {
    const found = entries.some(({ name }) => name === COMMIT_FILE) ? "a checkpoint" : "other files";
    throw new StorageError("io", dir, `already holds ${found}, which are kept; save under another name`);
  }
  await removeCheckpoint(store, dir);
}

function holdsOnlyLeftovers(entries: readonly FileEntry[]): boolean {
  if (entries.some(({ name }) => name === COMMIT_FILE)) return false;
  return (
    entries.some(({ name }) => name === PENDING_FILE) || entries.every(({ name }) => isTemporaryName(name))
  );
}

/** The checkpoints and problems found under a directory. */
interface Inspection {
  /** As `listCheckpoints` returns them. */
  readonly complete: CheckpointInfo[];
  readonly uncommitted: CheckpointProblem[];
  readonly damaged: CheckpointProblem[];
}

/** Finds what {@link recoverCheckpoints} would handle, without deleting anything. */
export async function inspectCheckpoints(
  store: FileStore,
  parent: string,
  owns: OwnsDirectory = () => true,
): Promise<Inspection> {
  const found: Inspection = { complete: [], uncommitted: [], damaged: [] };
  for (const { name, kind } of await store.list(parent)) {
    if (kind !== "directory" || !owns(name)) continue;
    const dir = joinPath(parent, name);
    const entries = await store.list(dir);
    const names = new Set(entries.map((entry) => entry.name));
    if (!names.has(COMMIT_FILE)) {
      // An empty directory may belong to anyone, so it stays unless it has the pending mark.
      if (entries.length > 0 && holdsOnlyLeftovers(entries)) {
        found.uncommitted.push({ name, dir, message: "was being written when the run stopped" });
      }
      continue;
    }
    try {
      const commit = await readCommit(store, dir);
      const problem = await findSizeProblem(store, dir, commit);
      if (problem !== null) throw truncated(dir, problem);
      found.complete.push({ name, dir, commit });
    } catch (error) {
      if (!isStorageError(error, "corrupt") && !isStorageError(error, "version")) throw error;
      // A rename that is a copy can be interrupted half-way; then the intact pending file is still there.
      const torn = names.has(PENDING_FILE) && error.code === "corrupt";
      (torn ? found.uncommitted : found.damaged).push({ name, dir, message: reasonOf(error) });
    }
  }
  found.complete.sort(
    (a, b) =>
      a.commit.sequence - b.commit.sequence ||
      a.commit.global_step - b.commit.global_step ||
      a.commit.generation - b.commit.generation ||
      (a.name < b.name ? -1 : 1),
  );
  return found;
}

/** The first missing file or wrong size, as a message; null if all files have the right sizes. */
async function findSizeProblem(store: FileStore, dir: string, commit: CommitRecord): Promise<string | null> {
  const sizes = new Map<string, Promise<Map<string, number>>>();
  const sizesIn = async (sub: string): Promise<Map<string, number>> => {
    const entries = await store.list(joinPath(dir, sub));
    return new Map(entries.filter(({ kind }) => kind === "file").map(({ name, size }) => [name, size]));
  };
  for (const { path, size } of commit.files) {
    const slash = path.lastIndexOf("/");
    const sub = slash < 0 ? "" : path.slice(0, slash);
    const inSub = sizes.get(sub) ?? sizesIn(sub);
    sizes.set(sub, inSub);
    const found = (await inSub).get(path.slice(slash + 1));
    if (found === undefined) return `${path} is missing`;
    if (found !== size) return `${path} has ${found} bytes, not ${size}`;
  }
  return null;
}

function truncated(dir: string, found: string): StorageError {
  return new StorageError("corrupt", dir, `${found}: the checkpoint is damaged; use an earlier one`);
}
