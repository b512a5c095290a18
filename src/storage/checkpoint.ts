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

/** Its presence makes a directory a checkpoint. */
export const COMMIT_FILE = "COMMIT.json";
/** The same content before the commit: it marks a directory as ours to delete. */
export const PENDING_FILE = "COMMIT.json.pending";

/** A committed checkpoint whose files have their sizes; the hashes are verified on reading. */
export interface CheckpointInfo {
  readonly name: string;
  readonly dir: string;
  readonly commit: CommitRecord;
}

/** A directory beside the good checkpoints, and what is wrong with it. */
export interface CheckpointProblem {
  readonly name: string;
  readonly dir: string;
  readonly message: string;
}

/** Which directories of a parent the caller owns, by name; all when left out. */
export type OwnsDirectory = (name: string) => boolean;

/**
 * Writes `files` (relative path to bytes) into the new directory `dir` and commits it by one rename, done last.
 * Until then the directory does not count; an existing checkpoint is never written over.
 *
 * Throws `StorageError`: `full`, `locked` and `io` of the store, or `io` when `dir` is in use. What was written by
 * then is removed where possible, else by `recoverCheckpoints`.
 */
export async function commitCheckpoint(
  store: FileStore,
  dir: string,
  files: ReadonlyMap<string, Uint8Array>,
  meta: CheckpointMeta,
): Promise<CommitRecord> {
  for (const path of files.keys()) {
    if (!isPlainRelativePath(path) || path.startsWith(COMMIT_FILE)) {
      throw new StorageError("io", joinPath(dir, path), "is no name for a checkpoint's file; rename it");
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
    // A platform that claims success and lost bytes must not make a checkpoint, nor a commit that cannot be read.
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
    // The first error is the one to report: recovery removes what stays here.
    await removeCheckpoint(store, dir).catch(() => undefined);
    throw error;
  }
  return record;
}

/**
 * A checkpoint's files, sizes and hashes verified. `only` limits which files are read and hashed; sizes are
 * verified for all. Throws `StorageError`: `not_found` (no such directory), `corrupt` (never committed, truncated,
 * changed), `version` (another format version).
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
    if ((await sha256Hex(bytes)) !== sha256)
      throw truncated(dir, `${path} was changed since (SHA-256 differs)`);
    files.set(path, bytes);
  }
  return { commit, files };
}

/** The committed checkpoints directly under `parent` whose files have their sizes, oldest first. */
export async function listCheckpoints(
  store: FileStore,
  parent: string,
  owns: OwnsDirectory = () => true,
): Promise<CheckpointInfo[]> {
  return (await inspectCheckpoints(store, parent, owns)).complete;
}

/**
 * Deletes under `parent` what a crash left: directories that were begun and never committed. Directories that no
 * checkpoint was begun in are left alone, and so are damaged checkpoints and those of other format versions, which
 * are reported. Call it only while nothing else writes checkpoints there.
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
 * Deletes all but the newest `keepLast` (at least 1) good checkpoints and those named in `keep`; damaged ones stay.
 * Call it after the newer one is committed, with that one in `keep` where the clock orders them. Returns the names
 * deleted.
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
 * Removes a checkpoint's directory; of a link to one only the link. Its commit goes first and the mark that it is ours last, so that a crash leaves
 * no half checkpoint and nothing that recovery would not know.
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

/** The checkpoint of highest fitness, the newest of equals; undefined when none has a fitness. */
export function bestCheckpoint(checkpoints: readonly CheckpointInfo[]): CheckpointInfo | undefined {
  let best: CheckpointInfo | undefined;
  for (const checkpoint of checkpoints) {
    const fitness = checkpoint.commit.fitness;
    if (fitness !== null && fitness >= (best?.commit.fitness ?? Number.NEGATIVE_INFINITY)) best = checkpoint;
  }
  return best;
}

/** `dir` if nothing is there, else the first of `dir-2`, `dir-3`, … that is free. */
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
      `has no ${COMMIT_FILE}: it is no checkpoint, or writing it was cut off before the commit; take an earlier one`,
    );
  }
  return decodeCommit(bytes, path);
}

/** Makes sure that `dir` is free: what a crash left there goes, anything else is refused. */
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

/** What lies under a directory. */
export interface Inspection {
  /** As `listCheckpoints` gives them. */
  readonly complete: CheckpointInfo[];
  readonly uncommitted: CheckpointProblem[];
  readonly damaged: CheckpointProblem[];
}

/** What {@link recoverCheckpoints} would find, with nothing deleted. */
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
      // An empty directory may be anyone's, so without a mark of ours it stays.
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
      // A rename that is a copy can be cut off half-way; the intact pending file beside it says so.
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

/** What is missing or of the wrong size, in words; null when all files are whole. */
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
  return new StorageError("corrupt", dir, `${found}: the checkpoint is damaged; take an earlier one`);
}
