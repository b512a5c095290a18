/** A worker: takes runs, trains them in its threads, and sends heartbeats. */
import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { reasonOf, VERSION } from "../../../src/hosting/index.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import type { ArtifactStore, TurnStores } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import { requireMigrated } from "../database/migrate.ts";
import { Notifications } from "../database/Notifications.ts";
import { JobConsumer } from "../jobs/JobConsumer.ts";
import { openQueues } from "../jobs/openQueues.ts";
import type { Queues } from "../jobs/Queues.ts";
import { type RunJob, runJobSchema, runQueueName } from "../jobs/RunQueue.ts";
import { type LeaseJob, leaseJobSchema, leaseQueueName } from "../nodes/LeaseQueue.ts";
import { RunNode } from "../nodes/RunNode.ts";
import { ClaimedRun } from "../runs/ClaimedRun.ts";
import { RUNS_CHANNEL } from "../runs/RunRow.ts";
import { RunDriver } from "./RunDriver.ts";
import { CPU_RESOURCE, type ResourceId } from "./resources.ts";
import { ALIVE_MS, WorkerTable } from "./WorkerTable.ts";

export interface SupervisorOptions {
  readonly database: Database;
  /** URL of the Redis that keeps the jobs. Default: the database keeps them. */
  readonly queue_url?: string | null;
  readonly artifacts: ArtifactStore;
  /** Opens the stores of the artifacts that the machines of a run exchange. */
  readonly turns: TurnStores;
  /** File store of the data sets that runs learn from. */
  readonly files: FileStore;
  /** Whether runs may download data sets from the hub (default: false). */
  readonly fetches?: boolean;
  readonly log: (message: string) => void;
  /** Resource that it trains runs on. Default: the CPU. */
  readonly resource_id?: ResourceId;
  /** Number of training threads. Default: the number of cores. */
  readonly cores?: number;
  /** Milliseconds without a heartbeat after which a worker loses its run. Default: 30 s. */
  readonly lock_ms?: number;
  /** Milliseconds between a run's checkpoints if its manifest sets no interval. Default: 30 s. */
  readonly checkpoint_ms?: number;
}

const LOCK_MS = 30_000;
const CHECKPOINT_MS = 30_000;
const LOOK_MS = 5_000;
/** Minimum number of heartbeats per lock duration. */
const SIGNS = 4;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #id: string;
  readonly #workers: WorkerTable;
  readonly #changes: Notifications;
  readonly #queues: Queues;
  /** Consumers of runs, and of places in runs that others drive. Only one of the two works at a time. */
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
        // A lost heartbeat is followed by another.
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

  /**
   * Resolves when it takes runs. Waits while the database is unreachable.
   * @throws Error if the tables have another version, or Redis cannot be used.
   */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    const { database, queue_url = null, log, resource_id = CPU_RESOURCE } = options;
    const { cores = availableParallelism() } = options;
    await database.ready();
    await requireMigrated(database);
    const queues = await openQueues({ database, queue_url, isServer: false, log });
    const id = randomUUID();
    // Registered before it takes jobs, because the machines of a run watch their driver's row.
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

  /** Runs one job at a time. Meanwhile it takes no job of the other kind, and returns one just taken. */
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

  /** Works on a run that another worker drives. */
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
    const { database, artifacts, turns, files, fetches = false, log, cores = 1 } = this.#options;
    const { checkpoint_ms = CHECKPOINT_MS, lock_ms = LOCK_MS } = this.#options;
    const run = await ClaimedRun.claim(database, { ...job, worker: this.#id });
    // The run has ended or was queued again.
    if (!run) return "done";
    log(`run ${run.row.name}: claimed (attempt ${run.row.attempt})`);
    const driver = new RunDriver({
      run,
      database,
      queues: this.#queues,
      artifacts,
      turns,
      files,
      fetches,
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

  /** Returns its run or place to the queue, and ends. */
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
