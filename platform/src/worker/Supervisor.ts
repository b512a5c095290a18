/** A worker: takes runs, trains them in its threads, and says that it lives. */
import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { VERSION } from "../../../src/specs/version.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import { requireMigrated } from "../database/migrate.ts";
import { Notifications } from "../database/Notifications.ts";
import { openQueues } from "../jobs/openQueues.ts";
import type { Queues } from "../jobs/Queues.ts";
import { RunConsumer } from "../jobs/RunConsumer.ts";
import type { RunJob } from "../jobs/runJob.ts";
import { ClaimedRun } from "../runs/ClaimedRun.ts";
import { RUNS_CHANNEL } from "../runs/RunRow.ts";
import { RunDriver } from "./RunDriver.ts";
import { ALIVE_MS, WorkerTable } from "./WorkerTable.ts";

export interface SupervisorOptions {
  readonly database: Database;
  /** Address of the Redis that keeps the jobs; the database does unless given. */
  readonly queue_url?: string | null;
  readonly artifacts: ArtifactStore;
  /** Where data sets lie that runs learn from. */
  readonly files: FileStore;
  readonly log: (message: string) => void;
  /** Threads that it trains in; as many as cores unless given. */
  readonly cores?: number;
  /** Milliseconds after which a worker that gave no sign of life loses its run; 30 s unless given. */
  readonly lock_ms?: number;
  /** Milliseconds between a run's checkpoints, where its manifest does not say; 30 s unless given. */
  readonly checkpoint_ms?: number;
}

const LOCK_MS = 30_000;
const CHECKPOINT_MS = 30_000;
const LOOK_MS = 5_000;

/** What runs need that train on the processor. */
export const CPU_RESOURCE = "cpu";

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #id = randomUUID();
  readonly #workers: WorkerTable;
  readonly #changes: Notifications;
  readonly #queues: Queues;
  readonly #consumer: RunConsumer;
  readonly #alive: ReturnType<typeof setInterval>;
  #driver: RunDriver | null = null;
  #closing = false;

  private constructor(options: SupervisorOptions, queues: Queues) {
    const { database, lock_ms = LOCK_MS } = options;
    this.#options = options;
    this.#queues = queues;
    this.#workers = new WorkerTable(database);
    this.#changes = new Notifications(database, RUNS_CHANNEL);
    this.#alive = setInterval(() => {
      // One sign that is lost is followed by another.
      void this.#workers.alive(this.#id).catch(() => undefined);
    }, ALIVE_MS);
    this.#consumer = new RunConsumer({
      queues,
      resource_id: CPU_RESOURCE,
      lock_ms,
      train: (job) => this.#train(job),
    });
  }

  /** Resolves when it takes runs; waits for a database that is away. @throws Error for tables of another version, or a Redis that cannot be used. */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    const { database, queue_url = null, log, cores = availableParallelism() } = options;
    await database.ready();
    await requireMigrated(database);
    const queues = await openQueues({ database, queue_url, isServer: false, log });
    const supervisor = new Supervisor({ ...options, cores }, queues);
    await supervisor.#workers.register({
      id: supervisor.#id,
      pid: process.pid,
      host: hostname(),
      cores,
      device: CPU_RESOURCE,
      version: VERSION,
      queue: queues.place,
    });
    return supervisor;
  }

  async #train(job: RunJob): Promise<"done" | "released"> {
    const { database, artifacts, files, log, checkpoint_ms = CHECKPOINT_MS, cores = 1 } = this.#options;
    if (this.#closing) return "released";
    const run = await ClaimedRun.claim(database, { ...job, worker: this.#id });
    // A run that has ended needs nothing.
    if (!run) return "done";
    log(`run ${run.row.name}: claimed (attempt ${run.row.attempt})`);
    const driver = new RunDriver({
      run,
      artifacts,
      files,
      changes: this.#changes,
      cores,
      checkpoint_ms,
      look_ms: LOOK_MS,
    });
    this.#driver = driver;
    if (this.#closing) driver.release();
    try {
      const driven = await driver.drive();
      log(`run ${run.row.name}: attempt ${run.row.attempt} is ${driven}`);
      return driven === "released" ? "released" : "done";
    } finally {
      this.#driver = null;
    }
  }

  /** Gives a run that trains back to the queue, and ends. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#alive);
    this.#driver?.release();
    await this.#consumer.close();
    await this.#changes.close();
    await this.#workers.remove(this.#id).catch(() => undefined);
    await this.#queues.close();
  }
}
