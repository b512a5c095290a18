/** Stored runs that train later: after the runs before them, or when their data set has been fetched. */
import { parseManifestObject } from "../../manifests/index.ts";
import { reasonOf } from "../../storage/files.ts";
import type { RunRecord } from "../../storage/index.ts";
import { globalStep, type RunState } from "../../training/loop.ts";
import type { RunFetches } from "../files/RunFetches.ts";
import type { StoredRun } from "../files/storedRun.ts";
import { hasQueued, type Runs } from "../runs/Runs.ts";

interface RunQueueParts {
  readonly runs: Runs;
  readonly fetches: RunFetches;
  /** Does work while no other run is started, resumed or deleted. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts training a stored run. */
  readonly reopen: (record: RunRecord) => Promise<void>;
}

/** A waiting run. */
export interface WaitingRun {
  readonly name: string;
  readonly group: string | undefined;
  readonly stored: StoredRun;
  /** Warnings to show once the run trains. */
  readonly warnings: readonly string[];
  /** Initial state, and the files of a checkpoint of it; null if the manifest determines the state. */
  readonly start: {
    readonly state: RunState;
    readonly files: ReadonlyMap<string, Uint8Array>;
  } | null;
}

export class RunQueue {
  readonly #parts: RunQueueParts;
  /** Ids of runs that start when those before them have ended. */
  readonly #waiting: string[] = [];
  readonly #warnings = new Map<string, readonly string[]>();

  constructor(parts: RunQueueParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Stores a run that trains later. Returns its id. @param reason What the run waits for. */
  async keep({ name, group, stored, warnings, start }: WaitingRun, reason: string): Promise<string> {
    const { runs } = this.#parts;
    const { store } = runs;
    const { id } = await store.createRun({ name, manifest: stored });
    try {
      if (start) {
        const { generation } = start.state;
        const global_step = globalStep(start.state);
        await store.saveCheckpoint(id, start.files, { generation, global_step, spec_hash: "" });
        await store.updateRun(id, { generation, global_step });
      }
      this.#warnings.set(id, warnings);
      await store.updateRun(id, { state: "stopped", reason, ...(group !== undefined && { group }) });
      await store.releaseRun(id);
      await runs.tellSummary(id);
      return id;
    } catch (error) {
      this.#warnings.delete(id);
      await store.deleteRun(id);
      throw error;
    }
  }

  /**
   * Queues a stored run to start when those before it have ended. This tab holds the run until then, so that no other one
   * trains it.
   */
  async add(id: string): Promise<void> {
    if (this.has(id)) return;
    const { store } = this.#parts.runs;
    await store.acquireRun(id);
    await store.updateRun(id, { queued: Date.now() });
    this.#waiting.push(id);
    await this.#parts.runs.tellSummary(id);
  }

  /** Takes a run out of the queue, if it waits there. */
  async leave(id: string): Promise<void> {
    if (!this.has(id)) return;
    this.forget(id);
    await this.#release(id);
  }

  async #release(id: string): Promise<void> {
    const { runs } = this.#parts;
    await runs.store.updateRun(id, { queued: null, reason: null });
    await runs.store.releaseRun(id);
    await runs.tellSummary(id);
  }

  /** Takes over the runs that waited in a tab which is gone, in the order in which they were queued. */
  async takeOver(): Promise<void> {
    const { runs } = this.#parts;
    const left = (await runs.store.listRuns())
      .filter((record) => hasQueued(record) && !this.has(record.id))
      .sort((a, b) => (a.queued ?? 0) - (b.queued ?? 0) || (a.id < b.id ? -1 : 1));
    const taken = await Promise.all(
      left.map(({ id }) =>
        runs.store.acquireRun(id).then(
          () => id,
          // Another tab has it.
          () => null,
        ),
      ),
    );
    this.#waiting.push(...taken.filter((id) => id !== null));
    for (const id of taken) if (id !== null) await runs.tellSummary(id);
  }

  has(id: string): boolean {
    return this.#waiting.includes(id);
  }

  /** Returns the warnings for a run and removes them. */
  takeWarnings(id: string): readonly string[] {
    const warnings = this.#warnings.get(id) ?? [];
    this.#warnings.delete(id);
    return warnings;
  }

  /** Call this for a run that trains. */
  started(id: string): void {
    const place = this.#waiting.indexOf(id);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  /** Call this for a run that was deleted. */
  forget(id: string): void {
    this.started(id);
    this.#warnings.delete(id);
  }

  /** Starts the next waiting run. */
  startNext(): void {
    const id = this.#waiting.shift();
    if (id !== undefined) this.takeTurn(id);
  }

  /** Trains a stored run after its data set has been fetched. An error is reported as the run's failure. */
  takeTurn(id: string): void {
    const { runs, alone } = this.#parts;
    this.#train(id).catch(async (error: unknown) => {
      await alone(async () => {
        if (!(await runs.store.getRun(id))) return;
        const reason = reasonOf(error);
        await runs.store.updateRun(id, { state: "failed", reason, queued: null });
        await runs.store.releaseRun(id);
        runs.emit({ run: id, kind: "state", state: "failed", failure: reason, end: null });
      });
      this.startNext();
    });
  }

  /**
   * Fetches the data set of a stored run if it is not stored. This happens before the launch, so that no
   * other run has to wait.
   * @returns false if the download was cancelled.
   */
  async fetched(id: string): Promise<boolean> {
    const { runs, fetches } = this.#parts;
    const { manifest } = await runs.catalog.stored(id);
    const parsed = parseManifestObject(manifest);
    return !(await fetches.isNeeded(parsed)) || fetches.fetch(id, parsed);
  }

  async #train(id: string): Promise<void> {
    const { runs, alone, reopen } = this.#parts;
    if (!(await this.fetched(id))) {
      await this.#release(id);
      return this.startNext();
    }
    await alone(async () => {
      // The user may have resumed it in the meantime.
      if (runs.active(id)) return;
      // Another run may have started while the data set was fetched.
      if (runs.running) this.#waiting.unshift(id);
      else {
        // Cleared before it trains: what it does to this tab must not happen at each reload.
        await runs.store.updateRun(id, { queued: null });
        await reopen(await runs.record(id));
      }
    });
  }
}
