/** Recovery of a run that is opened again after a crash, and deletion of runs. */
import { type CheckpointInfo, listCheckpoints, readCheckpoint, recoverCheckpoints } from "./checkpoint.ts";
import type { FileStore } from "./fileStore.ts";
import type { LoggedEvent } from "./logFrames.ts";
import { joinPath } from "./paths.ts";
import type { RunIndex } from "./runIndex.ts";
import { checkpointDirectory, fameDirectory, logDirectory, runDirectory } from "./runLayout.ts";
import { RunLog } from "./runLog.ts";
import {
  decodeRunManifest,
  encodeRunManifest,
  patchRecord,
  RUN_EVENT,
  RUN_FORMAT,
  RUN_VERSION,
  type RunManifest,
  type RunRecord,
  rebuildRecord,
} from "./runRecord.ts";
import { isStorageError, reasonOf } from "./storageError.ts";

/** Tells how to recover a run's manifest from the caller's checkpoints. */
export interface ManifestRecovery {
  /** The file in a checkpoint that has the manifest. */
  readonly file: string;
  /** The arguments of `createRun` that start that run again; null if the file does not contain them. */
  readonly read: (bytes: Uint8Array) => { readonly name: string; readonly manifest: unknown } | null;
}

/**
 * The name and manifest of a run from its newest usable checkpoint; null if there is none.
 * `checkpoints` are oldest first.
 */
async function manifestFromCheckpoint(
  store: FileStore,
  checkpoints: readonly CheckpointInfo[],
  { file, read }: ManifestRecovery,
): Promise<{ readonly name: string; readonly manifest: unknown; readonly checkpoint: string } | null> {
  for (const { name: checkpoint, dir } of checkpoints.toReversed()) {
    try {
      const { files } = await readCheckpoint(store, dir, (path) => path === file);
      const bytes = files.get(file);
      const found = bytes && read(bytes);
      if (found) return { ...found, checkpoint };
    } catch (error) {
      if (!isStorageError(error, "corrupt") && !isStorageError(error, "not_found")) throw error;
    }
  }
  return null;
}

/** The result of recovery at start, for the user to read. */
export interface RecoveryReport {
  /** Runs that ended without being stopped; they can be resumed. */
  readonly interrupted: readonly RunRecord[];
  readonly messages: readonly string[];
}

/**
 * Marks a run directory without a manifest as an interrupted import or deletion, so nothing is
 * lost by removing it.
 */
export const UNFINISHED_FILE = "UNFINISHED";

/** The stores that hold runs. */
export interface RunParts {
  readonly files: FileStore;
  readonly index: RunIndex;
}

/** Removes the leftovers of a crash from a run and updates its record. The run's lock must be held. */
export async function recoverHeld(
  parts: RunParts,
  id: string,
  source: ManifestRecovery | undefined,
): Promise<RecoveryReport> {
  const state = await manifestState(parts, id);
  if (state === "unfinished") {
    await deleteRunFiles(parts, id);
    return {
      interrupted: [],
      messages: [`A run whose creation, import or deletion was interrupted (${id}) was removed.`],
    };
  }
  await parts.files.remove(joinPath(runDirectory(id), UNFINISHED_FILE));
  const checkpoints = await recoverCheckpoints(parts.files, checkpointDirectory(id));
  await recoverCheckpoints(parts.files, fameDirectory(id));
  const restored = state === "missing" ? await restoreManifest(parts, id, source) : null;
  const { record, wasLive, problems } = await refreshRecord(
    parts,
    id,
    "its tab or process ended while it was live",
  );
  const about = `Run "${record.name}":`;
  const messages = [
    ...(restored === null ? [] : [`${about} ${restored}`]),
    ...checkpoints.dropped.map(
      () => `${about} a checkpoint that was being written when it ended was dropped.`,
    ),
    ...checkpoints.damaged.map(({ message }) => `${about} a checkpoint cannot be used. ${message}`),
    ...problems.map((problem) => `${about} ${problem}.`),
  ];
  if (wasLive) messages.push(`${about} interrupted; ${resumeHint(record)}`);
  return { interrupted: wasLive ? [record] : [], messages };
}

/**
 * Whether the run's manifest exists, is missing although the run was used, or is missing because a crash
 * interrupted its creation, import or deletion. Creation writes the manifest first; the others leave a marker
 * file until they are done.
 */
async function manifestState(parts: RunParts, id: string): Promise<"there" | "missing" | "unfinished"> {
  try {
    await readRunManifest(parts.files, id);
    return "there";
  } catch (error) {
    const entries = await parts.files.list(runDirectory(id));
    const marked = entries.some(({ name }) => name === UNFINISHED_FILE);
    if (marked && (isStorageError(error, "not_found") || isStorageError(error, "corrupt")))
      return "unfinished";
    if (isStorageError(error, "not_found")) {
      const log = await parts.files.list(logDirectory(id));
      const seen = log.length > 0 || (await listCheckpoints(parts.files, checkpointDirectory(id))).length > 0;
      return seen ? "missing" : "unfinished";
    }
    if (!isStorageError(error, "corrupt") || entries.some(({ kind }) => kind === "directory")) throw error;
    return "unfinished";
  }
}

/** Rewrites the missing manifest if a checkpoint contains it. Returns a message for the user. */
async function restoreManifest(
  parts: RunParts,
  id: string,
  source: ManifestRecovery | undefined,
): Promise<string> {
  const checkpoints = await listCheckpoints(parts.files, checkpointDirectory(id));
  const found = source && (await manifestFromCheckpoint(parts.files, checkpoints, source));
  if (!found) {
    const kept =
      checkpoints.length === 0
        ? "It has no complete checkpoint; its log is kept"
        : `Its ${checkpoints.length} checkpoint(s) in ${checkpointDirectory(id)} and its log are kept`;
    return (
      "its manifest.json is missing and no checkpoint says what was in it, so it cannot be opened or resumed. " +
      `${kept} until you delete the run.`
    );
  }
  const { name, created_at } = await withoutManifest(parts, id);
  const content = {
    format: RUN_FORMAT,
    version: RUN_VERSION,
    id,
    name: name === id ? found.name : name,
    created_at,
    manifest: found.manifest,
  } as const;
  try {
    await parts.files.write(joinPath(runDirectory(id), "manifest.json"), encodeRunManifest(content));
  } catch (error) {
    if (!isStorageError(error, "full")) throw error;
    return `its manifest.json is missing. ${error.message}; it is restored at the next start with enough space.`;
  }
  return `its manifest.json was missing and was restored from checkpoint ${found.checkpoint}.`;
}

/** A substitute for a missing manifest: the index may still have the run's name and creation time. */
async function withoutManifest(parts: RunParts, id: string): Promise<RunManifest> {
  const { name = id, created_at = Date.now() } = (await parts.index.get(id)) ?? {};
  return { format: RUN_FORMAT, version: RUN_VERSION, id, name, created_at, manifest: null };
}

/** Updates the index from the files; a run that was live becomes interrupted. The lock must be held. @internal */
export async function refreshRecord(
  parts: RunParts,
  id: string,
  reason: string,
): Promise<{ record: RunRecord; wasLive: boolean; problems: readonly string[] }> {
  const manifest = await readRunManifest(parts.files, id).catch((error: unknown) => {
    if (isStorageError(error, "not_found")) return withoutManifest(parts, id);
    throw error;
  });
  const { log, reading } = await RunLog.open(parts.files, logDirectory(id), isRecords);
  let record = rebuildRecord(
    manifest,
    reading.events,
    await listCheckpoints(parts.files, checkpointDirectory(id)),
  );
  const wasLive = record.state === "running" || record.state === "paused";
  const problems = [...reading.problems];
  if (wasLive) {
    const end = { reason: record.state === "paused" ? "closed_paused" : "closed", at: record.updated_at };
    const patch = { state: "interrupted", reason, end } as const;
    record = patchRecord(record, patch, record.updated_at);
    try {
      const event = { type: RUN_EVENT, ...patch, updated_at: record.updated_at };
      await log.append([event]);
    } catch (error) {
      // If there is no room for the event, the state is detected again at the next start.
      if (!isStorageError(error, "full")) throw error;
      problems.push(reasonOf(error));
    }
  }
  await parts.index.put(record);
  return { record, wasLive, problems };
}

/** Deletes a run's files and its index entry. */
export async function deleteRunFiles({ files, index }: RunParts, id: string): Promise<void> {
  const dir = runDirectory(id);
  // Written first and removed last, so that a crash leaves a directory that recovery removes.
  if (await files.exists(dir)) {
    await files.write(joinPath(dir, UNFINISHED_FILE), new Uint8Array(0)).catch(ignoreStorageError);
  }
  for (const part of ["manifest.json", "ck", "fame", "log"]) await files.remove(joinPath(dir, part));
  await files.remove(dir);
  await index.remove(id);
}

/** The manifest that `createRun` stored. @throws StorageError `not_found` if there is no such run. */
export async function readRunManifest(files: FileStore, id: string): Promise<RunManifest> {
  const path = joinPath(runDirectory(id), "manifest.json");
  return decodeRunManifest(await files.read(path), path);
}

export const isRecords = ({ event }: LoggedEvent): boolean => event.type === RUN_EVENT;

function resumeHint(record: RunRecord): string {
  return record.checkpoint === null
    ? "it had saved no checkpoint yet, so it starts from the beginning."
    : `resume it from generation ${record.checkpoint.generation}.`;
}

export function ignoreStorageError(error: unknown): void {
  if (!isStorageError(error)) throw error;
}
