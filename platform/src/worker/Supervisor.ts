/** A worker: takes runs, trains them in its threads, and says that it lives. */
import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { VERSION } from "../../../src/specs/version.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import { reasonOf } from "../../../src/storage/storageError.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import type { TurnStores } from "../artifacts/TurnStore.ts";
import type { Database } from "../database/Database.ts";
import { requireMigrated } from "../database/migrate.ts";
import { Notifications } from "../database/Notifications.ts";
import { JobConsumer } from "../jobs/JobConsumer.ts";
import { openQueues } from "../jobs/openQueues.ts";
import type { Queues } from "../jobs/Queues.ts";
import { type RunJob, runJobSchema, runQueueName } from "../jobs/runJob.ts";
import { type LeaseJob, leaseJobSchema, leaseQueueName } from "../nodes/leaseJob.ts";
import { RunNode } from "../nodes/RunNode.ts";
import { ClaimedRun } from "../runs/ClaimedRun.ts";
import { RUNS_CHANNEL } from "../runs/RunRow.ts";
import { RunDriver } from "./RunDriver.ts";
import { CPU_RESOURCE, type ResourceId } from "./resources.ts";
import { ALIVE_MS, WorkerTable } from "./WorkerTable.ts";

export interface SupervisorOptions {
  readonly database: Database;
  /** Address of the Redis that keeps the jobs; the database does unless given. */
  readonly queue_url?: string | null;
  readonly artifacts: ArtifactStore;
  /** What machines that train a run together pass to each other. */
  readonly turns: TurnStores;
  /** Where data sets lie that runs learn from. */
  readonly files: FileStore;
  readonly log: (message: string) => void;
  /** What it trains runs on; the processor unless given. */
  readonly resource_id?: ResourceId;
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
/** Signs of life in each lock time, at least. */
const SIGNS = 4;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #id: string;
  readonly #workers: WorkerTable;
  readonly #changes: Notifications;
  readonly #queues: Queues;
  /** Takes runs, and places in runs that others drive: one or the other at a time. */
  readonly #runs: JobConsumer<RunJob>;
  readonly #leases: JobConsumer<LeaseJob>;
  readonly #alive: ReturnType<typeof setInterval>;
  #driver: RunDriver | null = null;
  #node: RunNode | null = null;
  #busy = false;
  #closing = false;

  private constructor(options: SupervisorOptions, id: string, queues: Queues) {
    const { database, resource_id = CPU_RESOURCE, lock_ms = LOCK_MS } = options;
    this.#id = id;
    this.#options = options;
    this.#queues = queues;
    this.#workers = new WorkerTable(database);
    this.#changes = new Notifications(database, RUNS_CHANNEL);
    this.#alive = setInterval(
      () => {
        // One sign that is lost is followed by another.
        void this.#workers.alive(this.#id).catch(() => undefined);
      },
      Math.min(ALIVE_MS, lock_ms / SIGNS),
    );
    this.#runs = new JobConsumer({
      queues,
      name: runQueueName(resource_id),
      schema: runJobSchema,
      lock_ms,
      work: (job) => this.#alone(this.#leases, () => this.#train(job)),
    });
    this.#leases = new JobConsumer({
      queues,
      name: leaseQueueName(resource_id),
      schema: leaseJobSchema,
      lock_ms,
      work: (lease) => this.#alone(this.#runs, () => this.#join(lease)),
    });
  }

  /** Resolves when it takes runs; waits for a database that is away. @throws Error for tables of another version, or a Redis that cannot be used. */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    const { database, queue_url = null, log, resource_id = CPU_RESOURCE } = options;
    const { cores = availableParallelism() } = options;
    await database.ready();
    await requireMigrated(database);
    const queues = await openQueues({ database, queue_url, isServer: false, log });
    const id = randomUUID();
    // Before it takes anything: the machines of a run know its driver by its row.
    await new WorkerTable(database).register({
      id,
      pid: process.pid,
      host: hostname(),
      cores,
      device: resource_id,
      version: VERSION,
      queue: queues.place,
    });
    return new Supervisor({ ...options, cores }, id, queues);
  }

  /** Does one thing at a time: of the other kind nothing is taken meanwhile, and what was taken just now is given back. */
  async #alone(
    others: Pick<JobConsumer<never>, "hold" | "resume">,
    work: () => Promise<"done" | "released">,
  ): Promise<"done" | "released"> {
    if (this.#closing || this.#busy) return "released";
    this.#busy = true;
    await others.hold();
    try {
      return await work();
    } finally {
      this.#busy = false;
      await others.resume();
    }
  }

  /** Works at a place in a run that another worker drives. */
  async #join(lease: LeaseJob): Promise<"done" | "released"> {
    const { database, turns, log, lock_ms = LOCK_MS, cores = 1 } = this.#options;
    const queues = this.#queues;
    const node = new RunNode({ database, queues, turns, changes: this.#changes, lease, cores, lock_ms, log });
    this.#node = node;
    if (this.#closing) node.release();
    await this.#workers.work(this.#id, lease.run).catch(() => undefined);
    try {
      return await node.work();
    } catch (error) {
      log(`place ${lease.node} of run ${lease.run}: ${reasonOf(error)}`);
      throw error;
    } finally {
      this.#node = null;
      await this.#workers.work(this.#id, null).catch(() => undefined);
    }
  }

  async #train(job: RunJob): Promise<"done" | "released"> {
    const { database, artifacts, turns, files, log, cores = 1 } = this.#options;
    const { checkpoint_ms = CHECKPOINT_MS, lock_ms = LOCK_MS } = this.#options;
    const run = await ClaimedRun.claim(database, { ...job, worker: this.#id });
    // A run that has ended needs nothing.
    if (!run) return "done";
    log(`run ${run.row.name}: claimed (attempt ${run.row.attempt})`);
    const driver = new RunDriver({
      run,
      database,
      queues: this.#queues,
      artifacts,
      turns,
      files,
      changes: this.#changes,
      cores,
      lock_ms,
      checkpoint_ms,
      look_ms: LOOK_MS,
    });
    this.#driver = driver;
    if (this.#closing) driver.release();
    await this.#workers.work(this.#id, run.row.id).catch(() => undefined);
    try {
      const driven = await driver.drive();
      log(`run ${run.row.name}: attempt ${run.row.attempt} is ${driven}`);
      return driven === "released" ? "released" : "done";
    } finally {
      this.#driver = null;
      await this.#workers.work(this.#id, null).catch(() => undefined);
    }
  }

  /** Gives the run or the place that it has back to the queue, and ends. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#alive);
    this.#driver?.release();
    this.#node?.release();
    await this.#runs.close();
    await this.#leases.close();
    await this.#changes.close();
    await this.#workers.remove(this.#id).catch(() => undefined);
    await this.#queues.close();
  }
}
