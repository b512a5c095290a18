/** Looks through runs and jobs, so that no run is forgotten whatever was killed between a row and its job. */
import type { RunQueue } from "../jobs/RunQueue.ts";
import type { RunRow } from "../runs/RunRow.ts";
import type { RunTable } from "../runs/RunTable.ts";
import type { WorkerTable } from "../worker/WorkerTable.ts";
import type { TurnCollector } from "./TurnCollector.ts";

export interface ReconcilerOptions {
  readonly runs: RunTable;
  readonly queue: RunQueue;
  readonly workers: WorkerTable;
  readonly turns: TurnCollector;
  readonly log: (message: string) => void;
  /** Milliseconds from one look to the next; 10 s unless given. */
  readonly every_ms?: number;
}

const EVERY_MS = 10_000;

export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #looking: Promise<void> | null = null;
  /** Runs that waited at the last look. */
  #waited: ReadonlySet<string> = new Set();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#looking ??= this.look()
        // The next look comes, whatever was away in this one.
        .catch((error: unknown) => options.log(error instanceof Error ? error.message : String(error)))
        .finally(() => {
          this.#looking = null;
        });
    }, options.every_ms ?? EVERY_MS);
  }

  /** Looks once. */
  async look(): Promise<void> {
    const { runs, workers } = this.#options;
    const all = await runs.unended();
    for (const run of all) await this.#settle(run);
    const waiting = all.filter(({ state }) => state === "queued");
    const devices = new Set((await workers.list()).map(({ device }) => device));
    for (const run of waiting) {
      // One that has just come is given the time to be taken.
      if (!this.#waited.has(run.id) || devices.has(run.resource_id)) continue;
      await runs.warn(
        run.id,
        `unserved:${run.launch}`,
        `No worker takes runs of the resource "${run.resource_id}" now; start one with rlkit-platform worker.`,
      );
    }
    this.#waited = new Set(waiting.map(({ id }) => id));
    await this.#options.turns.collect();
  }

  async #settle({ id, launch }: RunRow): Promise<void> {
    const { runs, queue } = this.#options;
    const job = { run: id, launch };
    const { state, reason } = await queue.state(job);
    if (state === "waiting" || state === "active") return;
    // What was read of the run may be from before its job ended.
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
    clearInterval(this.#timer);
    await this.#looking;
  }
}
