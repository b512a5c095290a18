import {
  bestCheckpoint,
  type CheckpointInfo,
  COMMIT_FILE,
  commitCheckpoint,
  listCheckpoints,
  pruneCheckpoints,
  readCheckpoint,
} from "./checkpoint.ts";
import type { CheckpointMeta, CommitRecord } from "./commitRecord.ts";
import { copyTree } from "./copyTree.ts";
import type { FileStore } from "./fileStore.ts";
import type { LoggedEvent, RunEvent } from "./logFrames.ts";
import { joinPath, randomNonce } from "./paths.ts";
import type { ManifestRecovery } from "./restoreManifest.ts";
import type { RunIndex } from "./runIndex.ts";
import {
  checkpointDirectory,
  checkRunId,
  isRunId,
  logDirectory,
  newRunId,
  RUNS_DIRECTORY,
  runDirectory,
} from "./runLayout.ts";
import type { RunLock, RunLocks } from "./runLocks.ts";
import { type LogPlace, type LogReading, RunLog, readLogEvents, readRunLog } from "./runLog.ts";
import {
  checkpointOf,
  checkRunPatch,
  decodeRunManifest,
  encodeRunManifest,
  patchRecord,
  RUN_EVENT,
  RUN_FORMAT,
  RUN_VERSION,
  type RunManifest,
  type RunPatch,
  type RunRecord,
  rebuildRecord,
} from "./runRecord.ts";
import {
  deleteRunFiles,
  ignoreStorageError,
  isRecords,
  type RecoveryReport,
  readRunManifest,
  recoverHeld,
  refreshRecord,
  UNFINISHED_FILE,
} from "./runRecovery.ts";
import { serialiser } from "./serialise.ts";
import { estimateFits } from "./space.ts";
import { isStorageError, StorageError, storageFull } from "./storageError.ts";

/** Checkpoints kept besides the best one. */
const KEPT_CHECKPOINTS = 2;
/** A lock that a reloaded tab held is gone within tens of milliseconds; a live one stays. */
const LOCK_WAIT_MS = 300;
/** A checkpoint read whole and verified. */
export interface LoadedCheckpoint {
  readonly name: string;
  readonly dir: string;
  readonly commit: CommitRecord;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What was wrong with newer ones, in plain words. */
  readonly skipped: readonly string[];
}

/** Which files of a run were deleted by others while it was held. */
export interface LostFiles {
  readonly manifest: boolean;
  readonly log: boolean;
  /** The newest checkpoint. */
  readonly checkpoint: boolean;
}

/**
 * The runs of a workbench: manifest, event log and checkpoints in files, which are the truth, and a list of them in
 * an index. One writer at a time holds a run's lock; every method that changes a run takes it, or needs it free.
 * All methods reject with `StorageError`.
 */
export class RunStore {
  readonly #files: FileStore;
  readonly #index: RunIndex;
  readonly #locks: RunLocks;
  readonly #held = new Map<string, RunLock>();
  readonly #logs = new Map<string, RunLog>();
  /** Records of held runs: who clears a site's data clears the index too. */
  readonly #known = new Map<string, RunRecord>();
  readonly #serially = serialiser();

  constructor(parts: { readonly files: FileStore; readonly index: RunIndex; readonly locks: RunLocks }) {
    this.#files = parts.files;
    this.#index = parts.index;
    this.#locks = parts.locks;
  }

  get #parts() {
    return { files: this.#files, index: this.#index };
  }

  /**
   * Makes a run, `running`, and holds its lock until `releaseRun`.
   * @param run.id Letters, digits, `_`, `-` and `.`; made up when left out.
   * @param run.manifest Any JSON value: what is needed to start the run again.
   */
  async createRun(run: {
    readonly id?: string;
    readonly name: string;
    readonly manifest: unknown;
  }): Promise<RunRecord> {
    const id = run.id ?? newRunId();
    checkRunId(id);
    // Before the lock is taken, since a run of this id may be live here and must keep its lock.
    await this.#refuseTaken(id);
    await this.acquireRun(id);
    try {
      return await this.#change(id, async () => {
        await this.#refuseTaken(id);
        return this.#create(id, run.name, run.manifest);
      });
    } catch (error) {
      await this.releaseRun(id);
      throw error;
    }
  }

  /** All runs, the last changed first. */
  async listRuns(): Promise<RunRecord[]> {
    const listed = new Map([
      ...this.#known,
      ...(await this.#index.list()).map((run) => [run.id, run] as const),
    ]);
    return [...listed.values()].sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1));
  }

  async getRun(id: string): Promise<RunRecord | null> {
    return (await this.#index.get(id)) ?? this.#known.get(id) ?? null;
  }

  /** What `createRun` was given. `not_found` when there is no such run. */
  async readManifest(id: string): Promise<RunManifest> {
    return readRunManifest(this.#files, id);
  }

  /** Takes the run's lock and holds it. `locked` when another tab has it; no error when it is held here already. */
  async acquireRun(id: string): Promise<void> {
    checkRunId(id);
    await this.#serially(id, async () => {
      if (!this.#held.has(id)) this.#held.set(id, await this.#lock(id));
    });
  }

  /** Gives the lock back; no error when it is not held. */
  async releaseRun(id: string): Promise<void> {
    await this.#serially(id, async () => {
      const lock = this.#held.get(id);
      this.#held.delete(id);
      this.#logs.delete(id);
      this.#known.delete(id);
      await lock?.release();
    });
  }

  /** Changes the given fields, in the log and then in the index. A fitness that is not finite becomes null. */
  async updateRun(id: string, patch: RunPatch): Promise<RunRecord> {
    const checked = checkRunPatch(patch, runDirectory(id));
    return this.#change(id, () => this.#patch(id, checked));
  }

  /**
   * Adds events, flushed. Types of events are the caller's own; `run` is taken. Returns where the first is, the others
   * having the next numbers in the same part; null when there are none.
   */
  async appendLog(id: string, events: readonly RunEvent[]): Promise<LogPlace | null> {
    if (events.some(({ type }) => type === RUN_EVENT)) {
      throw new StorageError(
        "io",
        runDirectory(id),
        `events of type "${RUN_EVENT}" are the store's; use updateRun`,
      );
    }
    return this.#change(id, async () => (await this.#log(id)).append(events));
  }

  /** All events of a run, up to the first bad record of each part of the log, and what was left out. */
  async readLog(id: string): Promise<LogReading> {
    const { events, problems } = await readRunLog(this.#files, logDirectory(id), isCallers);
    return { events, problems };
  }

  /** As `readLog`, one event after the other, of which no more than a part of the log is in memory. */
  async scanLog(id: string, visit: (event: LoggedEvent, place: LogPlace) => void): Promise<void> {
    await readRunLog(this.#files, logDirectory(id), (event, part) => {
      if (isCallers(event)) visit(event, { part, seq: event.seq });
      return false;
    });
  }

  /** The events of these numbers in one part of the log; what cannot be read any more is left out. */
  async readEvents(id: string, part: number, seqs: ReadonlySet<number>): Promise<readonly LoggedEvent[]> {
    checkRunId(id);
    return readLogEvents(this.#files, logDirectory(id), part, seqs);
  }

  /**
   * Commits a checkpoint, then deletes older ones but the last two and the one of best fitness. On `full` and any
   * other error the earlier ones stay as they were.
   */
  async saveCheckpoint(
    id: string,
    files: ReadonlyMap<string, Uint8Array>,
    meta: Omit<CheckpointMeta, "sequence">,
  ): Promise<CheckpointInfo> {
    return this.#change(id, async () => {
      const parent = checkpointDirectory(id);
      const bytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (!(await estimateFits(this.#files, bytes)).fits) throw storageFull(parent, bytes);

      const before = await listCheckpoints(this.#files, parent);
      const sequence = (before.at(-1)?.commit.sequence ?? 0) + 1;
      const name = `${String(sequence).padStart(6, "0")}-${randomNonce()}`;
      const dir = joinPath(parent, name);
      const commit = await commitCheckpoint(this.#files, dir, files, { ...meta, sequence });
      const saved = { name, dir, commit };
      const best = bestCheckpoint([...before, saved]);
      const policy = { keepLast: KEPT_CHECKPOINTS, keep: best ? [best.name] : [] };
      // The new one is safe; what cannot be deleted now goes after the next.
      await pruneCheckpoints(this.#files, parent, policy).catch(ignoreStorageError);
      await this.#put({ ...(await this.#record(id)), checkpoint: checkpointOf([saved]) });
      return saved;
    });
  }

  /** Which files of a run that is held here were deleted since they were written. */
  async findLost(id: string): Promise<LostFiles> {
    return this.#change(id, async () => {
      const log = this.#logs.get(id);
      const manifest = !(await this.#files.exists(joinPath(runDirectory(id), "manifest.json")));
      const newest = this.#known.get(id)?.checkpoint;
      const commit = newest && joinPath(checkpointDirectory(id), newest.name, COMMIT_FILE);
      return {
        manifest,
        // A log is begun anew by whoever appends to it, so one that is there need not be all of it.
        log: log !== undefined && !(await (manifest ? log.isWhole() : log.isThere())),
        checkpoint: commit !== undefined && commit !== null && !(await this.#files.exists(commit)),
      };
    });
  }

  /**
   * Writes manifest, record and log of a run that is held here anew, after its files were deleted.
   * @param run.manifest As `createRun` was given it.
   * @param run.log Events of a new log in batches; null to keep the log that is there.
   * @returns Where the first event of each batch is.
   */
  async rewriteRun(
    id: string,
    run: { readonly manifest: unknown; readonly log: readonly (readonly RunEvent[])[] | null },
  ): Promise<readonly (LogPlace | null)[]> {
    return this.#change(id, async () => {
      const { checkpoint: _, created_at, updated_at: __, ...fields } = await this.#record(id);
      const places: (LogPlace | null)[] = [];
      if (run.log !== null) {
        this.#logs.delete(id);
        await this.#files.remove(logDirectory(id));
        const log = await this.#log(id);
        for (const events of run.log) places.push(await log.append(events));
      }
      const { name } = fields;
      const checkpoint = checkpointOf(await this.listCheckpoints(id));
      await this.#put({ ...(await this.#record(id)), checkpoint });
      await this.#patch(id, checkRunPatch(fields, runDirectory(id)));
      const content = { format: RUN_FORMAT, version: RUN_VERSION, id, name, created_at } as const;
      // Last: until then the run counts as lost, and is written anew again.
      await this.#files.write(
        joinPath(runDirectory(id), "manifest.json"),
        encodeRunManifest({ ...content, manifest: run.manifest }),
      );
      return places;
    });
  }

  /** The committed checkpoints of a run, oldest first. */
  async listCheckpoints(id: string): Promise<CheckpointInfo[]> {
    return listCheckpoints(this.#files, checkpointDirectory(id));
  }

  /** The newest checkpoint whose files are whole; null when there is none. */
  async latestCheckpoint(id: string): Promise<LoadedCheckpoint | null> {
    const skipped: string[] = [];
    for (const { name, dir } of (await this.listCheckpoints(id)).reverse()) {
      try {
        return { name, dir, skipped, ...(await readCheckpoint(this.#files, dir)) };
      } catch (error) {
        if (!isStorageError(error, "corrupt") && !isStorageError(error, "not_found")) throw error;
        skipped.push(error.message);
      }
    }
    return null;
  }

  /** Deletes a run and all its files. `locked` when it is live in another tab. */
  async deleteRun(id: string): Promise<void> {
    await this.#change(id, () => this.#delete(id));
    await this.releaseRun(id);
  }

  /**
   * To be called once at the start. Runs found running or paused that nobody holds become `interrupted`; what a
   * crash left is removed; the index is made to agree with the files. Runs live in other tabs are not touched, and
   * trouble with one run is reported and does not keep the others from being recovered. A run whose manifest alone is
   * missing is kept, with a manifest made from a checkpoint where `source` knows how, else listed without one.
   */
  async recover(source?: ManifestRecovery): Promise<RecoveryReport> {
    const ids = (await this.#files.list(RUNS_DIRECTORY))
      .filter(({ kind }) => kind === "directory")
      .map(({ name }) => name);
    const reports = await Promise.all(ids.map((id) => this.#recoverRun(id, source)));
    const messages = reports.flatMap((report) => report.messages);
    for (const { id, name } of await this.#index.list()) {
      // Asked again, since another tab may have made the run meanwhile.
      if (await this.#files.exists(runDirectory(id))) continue;
      await this.#index.remove(id);
      messages.push(`The files of the run "${name}" are gone; the browser or a user cleared them.`);
    }
    return { interrupted: reports.flatMap(({ interrupted }) => interrupted), messages };
  }

  /** A zip of a run with its committed checkpoints, for `importRun`. */
  async exportRun(id: string): Promise<Uint8Array> {
    const { packRun } = await import("./runArchive.ts");
    return packRun(this.#files, runDirectory(id));
  }

  /**
   * Adds an exported run, under a new id if its own is taken. Everything in it is checked before anything becomes
   * visible: `corrupt`, `version` or `full`, and then nothing is changed.
   */
  async importRun(zip: Uint8Array): Promise<RunRecord> {
    const { unpackRun } = await import("./runArchive.ts");
    const source = await unpackRun(zip, this.#files, "import");
    const manifest = decodeRunManifest(await source.read("manifest.json"), "manifest.json");
    for (let id = isRunId(manifest.id) ? manifest.id : newRunId(); ; id = newRunId()) {
      const record = await this.#change(id, () => this.#import(id, source, manifest));
      if (record !== null) return record;
    }
  }

  async #refuseTaken(id: string): Promise<void> {
    if (!(await this.#files.exists(runDirectory(id)))) return;
    throw new StorageError(
      "io",
      runDirectory(id),
      "a run of this id exists; leave the id out or choose another",
    );
  }

  async #create(id: string, name: string, manifest: unknown): Promise<RunRecord> {
    const created_at = Date.now();
    const content = { format: RUN_FORMAT, version: RUN_VERSION, id, name, created_at, manifest } as const;
    try {
      await this.#files.write(joinPath(runDirectory(id), "manifest.json"), encodeRunManifest(content));
      await this.#put(rebuildRecord(content, [], []));
      return await this.#patch(id, { state: "running" });
    } catch (error) {
      await this.#delete(id).catch(() => undefined);
      throw error;
    }
  }

  /** Writes a checked import as the run `id`; null when that id is taken. */
  async #import(id: string, source: FileStore, manifest: RunManifest): Promise<RunRecord | null> {
    const dir = runDirectory(id);
    if (await this.#files.exists(dir)) return null;
    try {
      await this.#files.write(joinPath(dir, UNFINISHED_FILE), new Uint8Array(0));
      await copyTree(source, "log", this.#files, joinPath(dir, "log"));
      await copyTree(source, "ck", this.#files, joinPath(dir, "ck"));
      await this.#files.write(joinPath(dir, "manifest.json"), encodeRunManifest({ ...manifest, id }));
      await this.#files.remove(joinPath(dir, UNFINISHED_FILE));
      return (await refreshRecord(this.#parts, id, "the run was imported")).record;
    } catch (error) {
      await this.#delete(id).catch(() => undefined);
      throw error;
    }
  }

  async #recoverRun(id: string, source: ManifestRecovery | undefined): Promise<RecoveryReport> {
    const none = { interrupted: [], messages: [] };
    try {
      checkRunId(id);
      if (this.#held.has(id)) return none;
      const lock = await this.#locks.acquire(id, LOCK_WAIT_MS);
      if (lock === null) {
        if ((await this.#index.get(id)) === null) {
          // Another tab may be making the run right now, and will list it itself.
          const record = await this.#readRecord(id).catch(() => null);
          if (record !== null) await this.#index.put(record);
        }
        return none;
      }
      try {
        return await this.#serially(id, () => recoverHeld(this.#parts, id, source));
      } finally {
        this.#logs.delete(id);
        await lock.release();
      }
    } catch (error) {
      if (!isStorageError(error)) throw error;
      return { ...none, messages: [`The run ${id} could not be recovered. ${error.message}`] };
    }
  }

  async #readRecord(id: string): Promise<RunRecord> {
    const { events } = await readRunLog(this.#files, logDirectory(id), isRecords);
    return rebuildRecord(await this.readManifest(id), events, await this.listCheckpoints(id));
  }

  async #record(id: string): Promise<RunRecord> {
    return (await this.getRun(id)) ?? this.#readRecord(id);
  }

  async #put(record: RunRecord): Promise<void> {
    if (this.#held.has(record.id)) this.#known.set(record.id, record);
    await this.#index.put(record);
  }

  async #patch(id: string, patch: RunPatch): Promise<RunRecord> {
    const record = patchRecord(await this.#record(id), patch, Date.now());
    const event = { type: RUN_EVENT, ...patch, updated_at: record.updated_at };
    await (await this.#log(id)).append([event]);
    await this.#put(record);
    return record;
  }

  async #log(id: string): Promise<RunLog> {
    const opened = this.#logs.get(id) ?? (await RunLog.open(this.#files, logDirectory(id), () => false)).log;
    this.#logs.set(id, opened);
    return opened;
  }

  async #delete(id: string): Promise<void> {
    this.#logs.delete(id);
    await deleteRunFiles(this.#parts, id);
    this.#known.delete(id);
  }

  /** Runs `work` alone on the run, under its lock, taken for the time when it is not held. */
  async #change<T>(id: string, work: () => Promise<T>): Promise<T> {
    checkRunId(id);
    return this.#serially(id, async () => {
      if (this.#held.has(id)) return work();
      const lock = await this.#lock(id);
      try {
        return await work();
      } finally {
        // Another tab may write to the log before the next time.
        this.#logs.delete(id);
        await lock.release();
      }
    });
  }

  async #lock(id: string): Promise<RunLock> {
    const lock = await this.#locks.acquire(id, LOCK_WAIT_MS);
    if (lock !== null) return lock;
    throw new StorageError(
      "locked",
      runDirectory(id),
      "the run is live in another tab; use that one or close it",
    );
  }
}

const isCallers = (logged: LoggedEvent): boolean => !isRecords(logged);
