/** Writes a run's log, record and checkpoints, in order, in the background of training. */

import { reasonOf } from "../../storage/files.ts";
import {
  isStorageError,
  type LostFiles,
  type NewElite,
  type RunPatch,
  type RunStore,
} from "../../storage/index.ts";
import { type Boundary, CheckpointRhythm, type RunFiles } from "../../training/loop.ts";
import type { Notice, Unsaved } from "../protocol/runs.ts";
import { type HistoryEvent, type RunHistory, withinMemory } from "./runHistory.ts";

export interface JournalParts {
  readonly store: RunStore;
  readonly id: string;
  /** Encodes the files of checkpoints. */
  readonly files: RunFiles;
  /** Contains every added event, and receives their places in the log. */
  readonly history: RunHistory;
  /** Milliseconds, as of `Date.now`. */
  readonly now: () => number;
  readonly specHash: string;
  /** Stored in checkpoints, as is the manifest. */
  readonly seed: number;
  /** The manifest as an object. */
  readonly manifest: unknown;
  /** The manifest value with which the run store created the run. */
  readonly origin: unknown;
  /** Generation of the newest checkpoint; 0 if there is none. */
  readonly saved: number;
  readonly onCheckpoint: (generation: number, global_step: number) => void;
  readonly onNotice: (level: Notice["level"], message: string) => void;
  /** Called after each attempt to write. */
  readonly onSettled?: () => void;
}

/** Minimum milliseconds between two commits of a run. */
const CHECKPOINT_MS = 10_000;
/** Milliseconds for which events wait to be written together with others. */
const FLUSH_MS = 1000;

/** The value of `#trouble` after a run's files were deleted. */
const LOST = "lost files";
/** Maximum events per append when a new log is written. */
const BATCH = 32;
/** Maximum number of policies that wait to be written. */
const WAITING_POLICIES = 128;

const inBatches = (events: readonly HistoryEvent[]): HistoryEvent[][] =>
  Array.from({ length: Math.ceil(events.length / BATCH) }, (_, batch) =>
    events.slice(batch * BATCH, (batch + 1) * BATCH),
  );

/** Where generations are faster than the disk, every second waiting policy is dropped: checkpoints wait for all of them. */
function withNewest(waiting: readonly NewElite[], newest: NewElite): NewElite[] {
  const policies = [...waiting, newest];
  return policies.length < WAITING_POLICIES ? policies : policies.filter((_, index) => index % 2 === 1);
}

function lossText({ manifest, log, checkpoint }: LostFiles, { length, held }: RunHistory): string {
  const names = [manifest && "manifest", log && "log", checkpoint && "checkpoints"].filter(Boolean);
  const tables =
    log && length > held ? ` Of generations before the last ${held} only the fitnesses are left.` : "";
  return (
    `Files of this run were deleted while it is live (${names.join(", ")}): the data of this site was cleared, by you or by ` +
    `the browser. Training continues, and the files are rewritten; the next checkpoint follows with the next generation.${tables}`
  );
}

export class RunJournal {
  readonly #parts: JournalParts;
  #events: HistoryEvent[] = [];
  #patch: RunPatch = {};
  /** Elites that are not written yet. */
  #elites: NewElite[] = [];
  /** Policies of all members of generations that are not written yet. */
  #populations: NewElite[] = [];
  /** Whether it was said that policies were deleted because the storage is full, or because they exceeded their limit. */
  #toldShed = false;
  #toldThinned = false;
  #tail: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Timer of the next commit: of a boundary that came too soon after one, or after a failure. */
  #later: ReturnType<typeof setTimeout> | null = null;
  #latest: Boundary | null = null;
  /** Why the last write of the log, and of a checkpoint, failed; null if it succeeded. */
  #failed: { log: unknown; checkpoint: unknown } = { log: null, checkpoint: null };
  #committing = false;
  readonly #rhythm: CheckpointRhythm;
  #saved: number;
  /** The last problem, so that it is reported once. */
  #trouble = "";
  #closed = false;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#saved = parts.saved;
    const rhythm = { every_ms: CHECKPOINT_MS, first_ms: 0, now: parts.now };
    this.#rhythm = new CheckpointRhythm({ members: [] }, rhythm);
  }

  /** Generation of the newest committed checkpoint; 0 if there is none. */
  get saved(): number {
    return this.#saved;
  }

  /** What could not be saved at the last attempt; null if that succeeded. */
  get unsaved(): Unsaved | null {
    const error = this.#failed.checkpoint ?? this.#failed.log;
    if (error === null) return null;
    return { since: this.#saved + 1, full: isStorageError(error, "full"), reason: reasonOf(error) };
  }

  /** Whether all events and fields have been written. */
  get isClean(): boolean {
    return this.#events.length === 0 && Object.keys(this.#patch).length === 0;
  }

  /** Events that have not been written. */
  get pending(): readonly HistoryEvent[] {
    return this.#events;
  }

  /** Adds an event and fields of the record, to be written soon. */
  add(event: HistoryEvent | null, patch: RunPatch = {}): void {
    if (this.#closed) return;
    if (event) this.#events.push(event);
    this.#patch = { ...this.#patch, ...patch };
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** Adds the elite of a generation, to be written with the log. */
  addElite(elite: NewElite): void {
    if (!this.#closed) this.#elites = withNewest(this.#elites, elite);
  }

  /** Adds the policies of all members of a generation, to be written with the log. */
  addPopulation(population: NewElite): void {
    if (!this.#closed) this.#populations = withNewest(this.#populations, population);
  }

  /**
   * Writes all pending data. Resolves when it and everything before it is written, or has
   * failed with a notice.
   */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#enqueue(() => this.#write());
  }

  /**
   * Called at a generation boundary. Commits a checkpoint of it now, or of the latest boundary when enough time has
   * passed since the last one.
   */
  boundary(boundary: Boundary): void {
    if (this.#closed) return;
    this.#latest = boundary;
    const { wait } = this.#rhythm;
    if (wait <= 0 && !this.#committing) void this.commit(boundary);
    else this.#laterIn(Math.max(wait, FLUSH_MS));
  }

  #laterIn(milliseconds: number): void {
    this.#later ??= setTimeout(() => {
      this.#later = null;
      if (this.#latest) this.boundary(this.#latest);
      if (this.#failed.log !== null) void this.flush();
    }, milliseconds);
  }

  /** After an attempt to write: a failed one is repeated, also if no further generation ends. */
  #settle(): void {
    if (this.unsaved !== null && !this.#closed) this.#laterIn(CHECKPOINT_MS);
    this.#parts.onSettled?.();
  }

  /** Commits a checkpoint unless that generation is already saved. Never rejects; failures become notices. */
  commit(boundary: Boundary): Promise<void> {
    const { generation, global_step, fitness } = boundary;
    if (this.#closed || generation <= this.#saved) return this.#tail;
    this.#rhythm.tried();
    let files: ReadonlyMap<string, Uint8Array>;
    try {
      // Encoded now instead of in the queue, because training continues and changes the
      // replay buffer in place.
      files = boundary.encode(this.#parts.files, this.#parts);
    } catch (error) {
      // There may be enough memory for it at the next boundary.
      const what = `The checkpoint of generation ${generation} (environment step ${global_step}) could not be encoded`;
      this.#tell("warning", error, what);
      this.#failed.checkpoint = error;
      return this.#enqueue(async () => undefined);
    }
    const completions = this.#parts.history.completionsToLog();
    // Earlier completions that could not be written are obsolete.
    if (completions)
      this.#events = [...this.#events.filter(({ type }) => type !== completions.type), completions];
    this.#committing = true;
    return this.#enqueue(async () => {
      // Written first, so that no checkpoint is newer than the log.
      await this.#write();
      await this.#save(files, { generation, global_step, fitness });
      this.#committing = false;
    });
  }

  /** Accepts no more data; resolves when the writes in progress are done. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#later !== null) clearTimeout(this.#later);
    await this.#tail;
  }

  /** As `close`, but first drops all pending data. */
  async discard(): Promise<void> {
    this.#events = [];
    this.#patch = {};
    this.#elites = [];
    this.#populations = [];
    await this.close();
  }

  /** @param tries Maximum attempts if the run's files are deleted during the write. */
  async #write(tries = 3): Promise<void> {
    const { store, id, history } = this.#parts;
    if (!this.#closed) await this.#renew();
    let events: readonly HistoryEvent[] = this.#events;
    const patch = this.#patch;
    this.#events = [];
    this.#patch = {};
    try {
      history.written(events, await store.appendLog(id, events));
      events = [];
      if (Object.keys(patch).length > 0) await store.updateRun(id, patch);
      this.#failed.log = null;
    } catch (error) {
      // Retried with the next events.
      this.#events = withinMemory([...events, ...this.#events]);
      this.#patch = { ...patch, ...this.#patch };
      if (isStorageError(error, "changed") && tries > 1 && !this.#closed) return this.#write(tries - 1);
      this.#failed.log = error;
      this.#tell("error", error, "The run's log was not written");
    }
    await this.#writePolicies();
  }

  async #writePolicies(): Promise<void> {
    const { store, id } = this.#parts;
    const [elites, populations] = [this.#elites, this.#populations];
    this.#elites = [];
    this.#populations = [];
    try {
      if ((await store.fame.add(id, elites)).shed) this.#tellShed();
      const { shed, thinned } = await store.populations.add(id, populations);
      if (shed) this.#tellShed();
      if (thinned && !this.#toldThinned) {
        this.#toldThinned = true;
        this.#parts.onNotice(
          "info",
          "The policies of all members exceed their limit, so those of every second generation are deleted from the oldest on. These generations show the nearest one that is kept; the limit is a setting of the page Storage.",
        );
      }
    } catch (error) {
      // Nothing else depends on the missing policies.
      this.#tell("warning", error, "Policies of the last generations were not kept");
    }
  }

  #tellShed(): void {
    if (this.#toldShed) return;
    this.#toldShed = true;
    this.#parts.onNotice(
      "warning",
      "Storage is full, so the oldest policies of this run were deleted, except pinned elites. Training continues; past generations show the nearest ones that are kept.",
    );
  }

  /**
   * Rewrites the run if its files were deleted, as far as its history is in memory. Returns false if
   * no files were lost.
   */
  async #renew(): Promise<boolean> {
    const { store, id, history, origin } = this.#parts;
    try {
      const lost = await store.findLost(id);
      if (!lost.manifest && !lost.log && !lost.checkpoint) return false;
      if (this.#trouble !== LOST) this.#parts.onNotice("error", lossText(lost, history));
      this.#trouble = LOST;
      this.#saved = 0;
      this.#rhythm.lost();
      if (!lost.manifest && !lost.log) return true;
      const events = lost.log ? history.retold() : [];
      const waiting = this.#events;
      // All pending events are also in the history.
      if (lost.log) this.#events = [];
      try {
        const batches = inBatches(events);
        const log = lost.log ? batches : null;
        const places = await store.rewriteRun(id, { manifest: origin, log });
        for (const [index, place] of places.entries()) history.written(batches[index] ?? [], place);
      } catch (error) {
        this.#events = lost.log ? [...events, ...this.#events] : waiting;
        throw error;
      }
    } catch (error) {
      // Files were deleted again in the meantime; the next write detects that.
      if (!isStorageError(error, "changed"))
        this.#tell("error", error, "The run's files could not be rewritten");
    }
    return true;
  }

  async #save(
    files: ReadonlyMap<string, Uint8Array>,
    meta: { generation: number; global_step: number; fitness: number | null },
  ): Promise<void> {
    const { store, id, specHash, onCheckpoint } = this.#parts;
    try {
      const save = () => store.saveCheckpoint(id, files, { ...meta, spec_hash: specHash });
      await save().catch(async (error: unknown) => {
        // A checkpoint is worth more than old elites.
        if (!isStorageError(error, "full")) throw error;
        if (!(await store.populations.shed(id)) && !(await store.fame.shed(id))) throw error;
        this.#tellShed();
        await save();
      });
      this.#saved = meta.generation;
      this.#failed.checkpoint = null;
      this.#trouble = "";
      onCheckpoint(meta.generation, meta.global_step);
    } catch (error) {
      // The save failed because files were deleted, which has been reported.
      if (!this.#closed && (await this.#renew())) return;
      this.#failed.checkpoint = error;
      this.#tell("error", error, `The checkpoint of generation ${meta.generation} was not saved`);
    }
  }

  #tell(level: Notice["level"], error: unknown, what: string): void {
    const reason = reasonOf(error);
    const kind = isStorageError(error) ? error.code : reason;
    if (kind === this.#trouble) return;
    this.#trouble = kind;
    const kept =
      this.#saved > 0
        ? `, and generation ${this.#saved}, saved before, is kept`
        : ", but nothing is saved yet";
    const advice = isStorageError(error, "full")
      ? "Delete runs that are not needed, or free space on the disk; saving is tried again every 10 s"
      : "Saving is tried again in 10 s";
    this.#parts.onNotice(level, `${what}: ${reason}. Training continues${kept}. ${advice}.`);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(work).then(() => this.#settle());
    return this.#tail;
  }
}
