/** The runs of a workbench: in memory while they train, otherwise in storage. */
import type { TrainingManifest } from "../../manifests/index.ts";
import type { RunRecord, RunStore } from "../../storage/index.ts";
import type { Elite } from "../files/eliteFiles.ts";
import type { RunFetches } from "../files/RunFetches.ts";
import { storedRunSource } from "../files/storedRun.ts";
import type { RunEvent, RunSummary } from "../protocol/runs.ts";
import { type ActiveRun, progressOf } from "./activeRun.ts";
import { RunCatalog } from "./runCatalog.ts";
import type { RunHistory } from "./runHistory.ts";
import { stepsExpected } from "./runSteps.ts";

/** Whether a run was put into the queue of a tab, which may have been closed. */
export const hasQueued = ({ queued }: RunRecord): boolean => queued !== undefined && queued !== null;

interface RunsParts {
  readonly store: RunStore;
  readonly emit: (event: RunEvent) => void;
  readonly fetches: Pick<RunFetches, "of">;
  /** Whether a run starts when the runs before it have ended. */
  readonly isQueued: (id: string) => boolean;
  /** Called with messages from the recovery of stored runs. */
  readonly onReport: (messages: readonly string[]) => void;
}

export class Runs {
  readonly store: RunStore;
  readonly catalog: RunCatalog;
  readonly emit: RunsParts["emit"];
  /** Runs in memory: running, paused, or ended with a boundary that could not be saved. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #fetches: RunsParts["fetches"];
  readonly #isQueued: RunsParts["isQueued"];
  readonly #onReport: RunsParts["onReport"];
  #recovered: Promise<void> | null = null;

  constructor({ store, emit, fetches, isQueued, onReport }: RunsParts) {
    this.store = store;
    this.catalog = new RunCatalog(store);
    this.emit = emit;
    this.#fetches = fetches;
    this.#isQueued = isQueued;
    this.#onReport = onReport;
  }

  /** Marks runs that an earlier tab left live as interrupted. */
  recover(): Promise<void> {
    this.#recovered ??= this.#recover().catch((error: unknown) => {
      // A failure may be temporary, so the next call tries again.
      this.#recovered = null;
      throw error;
    });
    return this.#recovered;
  }

  async #recover(): Promise<void> {
    const { messages } = await this.store.recover(storedRunSource);
    this.#onReport(messages);
  }

  /** The run, if it is in memory. */
  active(id: string): ActiveRun | undefined {
    return this.#active.get(id);
  }

  get allActive(): readonly ActiveRun[] {
    return [...this.#active.values()];
  }

  /** The run that trains now; undefined if there is none. */
  get running(): ActiveRun | undefined {
    return this.allActive.find(({ state }) => state === "running");
  }

  hold(run: ActiveRun): void {
    this.#active.set(run.id, run);
  }

  /** Releases this ended run only; the same id may have been started again. */
  release(run: ActiveRun): void {
    if (this.#active.get(run.id) === run) this.#active.delete(run.id);
  }

  /** Call this for a run that was deleted. */
  forget(id: string): void {
    this.#active.delete(id);
    this.catalog.forget(id);
  }

  /** @throws Error if there is no such run. */
  async record(id: string): Promise<RunRecord> {
    await this.recover();
    const record = await this.store.getRun(id);
    if (record) return record;
    throw new Error(`There is no run ${id} in this browser; it may have been deleted.`);
  }

  /** The run's history; for a run that is not in memory, as it was last read. */
  async history(id: string): Promise<RunHistory> {
    return this.#active.get(id)?.history ?? this.catalog.history(id);
  }

  async manifest(id: string): Promise<TrainingManifest> {
    return this.catalog.trained(id);
  }

  async elite(id: string): Promise<Elite | null> {
    const record = await this.record(id);
    const run = this.#active.get(id);
    if (!run) return this.catalog.elite(record);
    const { definition, elite: agent, training } = run;
    return agent && { agent, definition, generation: training.generation };
  }

  /** Total steps of the whole population at the end of the run, estimated from its current members. */
  async totalSteps({ id, max_steps, state, global_step }: RunRecord): Promise<number> {
    if (state === "finished") return global_step;
    const stored = await this.catalog.stored(id);
    const manifest = await this.catalog.trained(id, max_steps);
    return stepsExpected(manifest, stored.seed, global_step);
  }

  async list(): Promise<readonly RunSummary[]> {
    await this.recover();
    const records = await this.store.listRuns();
    return Promise.all(records.map((record) => this.summary(record)));
  }

  async summary(record: RunRecord): Promise<RunSummary> {
    const run = this.#active.get(record.id);
    const summary = await this.catalog.summary(record);
    const isLive = record.state === "running" || record.state === "paused";
    if (!run) {
      const live_elsewhere = isLive && (await this.store.isHeldElsewhere(record.id));
      const fetch = this.#fetches.of(record.id);
      const isQueued = this.#isQueued(record.id);
      const waits = isQueued || (hasQueued(record) && (await this.store.isHeldElsewhere(record.id)));
      return { ...summary, live_elsewhere, fetch, waiting: fetch === null && waits };
    }
    return {
      ...summary,
      state: run.state,
      ...progressOf(run),
      device: run.device.label,
      steps_per_second: run.history.latest?.steps_per_second ?? summary.steps_per_second,
      sparkline: run.history.sparkline(),
      unsaved: run.unsaved,
      end: run.end,
    };
  }

  /** Checks the state of a run that another tab held, and reports it. */
  async settle(id: string): Promise<void> {
    await this.store.recoverRun(id, storedRunSource);
    this.catalog.forget(id);
    const record = await this.store.getRun(id);
    if (!record || this.#active.has(id)) return;
    const summary = await this.summary(record);
    this.emit({ run: id, kind: "state", state: record.state, failure: record.reason, end: summary.end });
    this.emit({ run: id, kind: "summary", summary });
  }

  /** Reports that a run's row has changed; does nothing for a run that was deleted. */
  async tellSummary(id: string): Promise<void> {
    await this.recover();
    const record = await this.store.getRun(id);
    if (record) this.emit({ run: id, kind: "summary", summary: await this.summary(record) });
  }
}
