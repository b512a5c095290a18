import { type CheckpointInfo, COMMIT_FILE } from "./checkpoint.ts";
import type { CheckpointMeta } from "./commitRecord.ts";
import type { FileStore } from "./fileStore.ts";
import { HallOfFame } from "./HallOfFame.ts";
import { HeldRuns } from "./HeldRuns.ts";
import type { LoggedEvent, RunEvent } from "./logFrames.ts";
import { joinPath } from "./paths.ts";
import { type LoadedCheckpoint, RunCheckpoints } from "./RunCheckpoints.ts";
import type { ManifestRecovery } from "./restoreManifest.ts";
import { writeImport } from "./runImport.ts";
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
import type { RunLocks } from "./runLocks.ts";
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
  isRecords,
  type RecoveryReport,
  readRunManifest,
  recoverHeld,
} from "./runRecovery.ts";
import { type RunSizes, sizesOf } from "./runSizes.ts";
import { isStorageError, StorageError } from "./storageError.ts";

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
  readonly #held: HeldRuns;
  readonly #logs = new Map<string, RunLog>();
  /** Records of held runs: who clears a site's data clears the index too. */
  readonly #known = new Map<string, RunRecord>();

  readonly checkpoints: RunCheckpoints;
  readonly fame: HallOfFame;

  constructor(parts: { readonly files: FileStore; readonly index: RunIndex; readonly locks: RunLocks }) {
    this.#files = parts.files;
    this.#index = parts.index;
    // Another tab may write to the log before the next time.
    this.#held = new HeldRuns(parts.locks, (id) => this.#logs.delete(id));
    this.fame = new HallOfFame(this.#files, this.#held);
    this.checkpoints = new RunCheckpoints({
      files: this.#files,
      held: this.#held,
      record: (id) => this.#record(id),
      put: (record) => this.#put(record),
      patch: (id, patch) => this.#patch(id, patch),
    });
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
      return await this.#held.change(id, async () => {
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
    await this.#held.acquire(id);
  }

  /** Gives the lock back; no error when it is not held. */
  async releaseRun(id: string): Promise<void> {
    await this.#held.release(id);
    this.#known.delete(id);
  }

  /** Whether the run is live in another tab or process. */
  async isHeldElsewhere(id: string): Promise<boolean> {
    return this.#held.isElsewhere(id);
  }

  /** Changes the given fields, in the log and then in the index. A fitness that is not finite becomes null. */
  async updateRun(id: string, patch: RunPatch): Promise<RunRecord> {
    const checked = checkRunPatch(patch, runDirectory(id));
    return this.#held.change(id, () => this.#patch(id, checked));
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
    return this.#held.change(id, async () => (await this.#log(id)).append(events));
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
   * Commits a checkpoint, then deletes older ones but those that the policy keeps and those that are pinned. On `full`
   * and any other error the earlier ones stay as they were.
   */
  async saveCheckpoint(
    id: string,
    files: ReadonlyMap<string, Uint8Array>,
    meta: Omit<CheckpointMeta, "sequence">,
  ): Promise<CheckpointInfo> {
    return this.checkpoints.save(id, files, meta);
  }

  /** Bytes of a run's files by kind. */
  async sizesOf(id: string): Promise<RunSizes> {
    return sizesOf(this.#files, id);
  }

  /** Which files of a run that is held here were deleted since they were written. */
  async findLost(id: string): Promise<LostFiles> {
    return this.#held.change(id, async () => {
      const log = this.#logs.get(id);
      const manifest = !(await this.#files.exists(joinPath(runDirectory(id), "manifest.json")));
      const newest = this.#known.get(id)?.checkpoint;
      const commit = newest && joinPath(checkpointDirectory(id), newest.name, COMMIT_FILE);
      return {
        manifest,
        log: log !== undefined && !(await log.isWhole()),
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
    return this.#held.change(id, async () => {
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
    return this.checkpoints.list(id);
  }

  /** The newest checkpoint whose files are whole; null when there is none. */
  async latestCheckpoint(id: string): Promise<LoadedCheckpoint | null> {
    return this.checkpoints.latest(id);
  }

  /** Deletes a run and all its files. `locked` when it is live in another tab. */
  async deleteRun(id: string): Promise<void> {
    await this.#held.change(id, () => this.#delete(id));
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
    const reports = await Promise.all(ids.map((id) => this.recoverRun(id, source)));
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
   * @param check What else must hold; what it throws keeps the run out.
   */
  async importRun(
    zip: Uint8Array,
    check: (run: {
      readonly manifest: RunManifest;
      readonly files: FileStore;
    }) => Promise<void> = async () => {},
  ): Promise<RunRecord> {
    const { unpackRun } = await import("./runArchive.ts");
    const source = await unpackRun(zip, this.#files, "import");
    const manifest = decodeRunManifest(await source.read("manifest.json"), "manifest.json");
    await check({ manifest, files: source });
    for (let id = isRunId(manifest.id) ? manifest.id : newRunId(); ; id = newRunId()) {
      const record = await this.#held.change(id, () => writeImport(this.#parts, id, source, manifest));
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

  /** The same for one run, when its tab may have ended. */
  async recoverRun(id: string, source?: ManifestRecovery): Promise<RecoveryReport> {
    const none = { interrupted: [], messages: [] };
    try {
      checkRunId(id);
      if (this.#held.has(id)) return none;
      const report = await this.#held.ifFree(id, () => recoverHeld(this.#parts, id, source));
      if (report !== null) return report;
      if ((await this.#index.get(id)) === null) {
        // Another tab may be making the run right now, and will list it itself.
        const record = await this.#readRecord(id).catch(() => null);
        if (record !== null) await this.#index.put(record);
      }
      return none;
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
}

const isCallers = (logged: LoggedEvent): boolean => !isRecords(logged);
