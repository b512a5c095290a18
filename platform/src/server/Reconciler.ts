/**
 * Compares runs with jobs, so that no run is lost if a process is killed between writing a row and its job.
 */
import type { QueuePlace } from "../jobs/Queues.ts";
import type { RunQueue } from "../jobs/RunQueue.ts";
import type { RunRow } from "../runs/RunRow.ts";
import type { RunTable } from "../runs/RunTable.ts";
import { unableReason, type WorkerTable } from "../worker/WorkerTable.ts";
import { Periodic } from "./Periodic.ts";
import type { TurnCollector } from "./TurnCollector.ts";

interface ReconcilerOptions {
  readonly runs: RunTable;
  readonly queue: RunQueue;
  /** Where jobs are kept: the database or Redis. */
  readonly place: QueuePlace;
  readonly workers: WorkerTable;
  readonly turns: TurnCollector;
  readonly log: (message: string) => void;
  /** Milliseconds between reconciliations. Default: 10 s. */
  readonly every_ms?: number;
}

const EVERY_MS = 10_000;

export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #looks: Periodic;
  /** Runs that were queued at the last reconciliation. */
  #waited: ReadonlySet<string> = new Set();

  constructor(options: ReconcilerOptions) {
    const { every_ms = EVERY_MS, log } = options;
    this.#options = options;
    this.#looks = new Periodic({ every_ms, log, work: () => this.look() });
  }

  /** Reconciles once. */
  async look(): Promise<void> {
    const { runs } = this.#options;
    const all = await runs.unended();
    for (const run of all) await this.#settle(run);
    const waiting = all.filter(({ state }) => state === "queued");
    // A run that has just been queued gets time to be claimed.
    for (const run of waiting) if (this.#waited.has(run.id)) await this.#tellUnserved(run);
    this.#waited = new Set(waiting.map(({ id }) => id));
    await this.#options.turns.collect();
  }

  /** Warns that no present worker can take the run. */
  async #tellUnserved({ id, launch, resource_id }: RunRow): Promise<void> {
    const { runs, workers, place } = this.#options;
    const reasons = (await workers.list()).map((worker) => unableReason(worker, { resource_id, place }));
    if (reasons.includes(null)) return;
    const there = reasons.length === 0 ? "" : ` Unsuitable workers: ${reasons.join("; ")}.`;
    const message = `No running worker can take this run; start one with rlkit-platform worker.${there}`;
    await runs.warn(id, `unserved:${launch}`, message);
  }

  async #settle({ id, launch, resource_id }: RunRow): Promise<void> {
    const { runs, queue } = this.#options;
    const job = { run: id, launch, resource_id };
    const { state, reason } = await queue.state(job);
    if (state === "waiting" || state === "active") return;
    // The run's row may have been read before its job ended.
    const now = (await runs.unended()).find((run) => run.id === id);
    if (now?.launch !== launch) return;
    if (state === "failed") {
      await runs.fail(id, `The run was given up: ${reason ?? "its worker was lost too often"}`);
      return;
    }
    if (state === "completed") await queue.remove(job);
    await queue.add(job);
  }

  async close(): Promise<void> {
    await this.#looks.close();
  }
}
