/** Trains one claimed run until it ends or another worker claims it. */

import { onDevice, RunSession, reasonOf, reinforcementLearning } from "../../../src/hosting/index.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import type { Executor, WorkloadDefinition } from "../../../src/training/index.ts";
import { spawnWorker, WorkerExecutor } from "../../../src/workers/index.ts";
import type { ArtifactStore, TurnStores } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import type { Notifications } from "../database/Notifications.ts";
import type { Queues } from "../jobs/Queues.ts";
import { QueueExecutor } from "../nodes/QueueExecutor.ts";
import type { ClaimedRun } from "../runs/ClaimedRun.ts";
import type { Desired, RunRow } from "../runs/RunRow.ts";
import { LostRunError } from "../runs/runEvents.ts";
import { PostgresSink } from "./PostgresSink.ts";
import { RESOURCES } from "./resources.ts";
import { type StartingPoint, startingState } from "./startingState.ts";

interface RunExecutorOptions {
  readonly run: RunRow;
  readonly definition: WorkloadDefinition;
  /** Number of members. */
  readonly members: number;
  /** Maximum number of threads. */
  readonly cores: number;
  readonly database: Database;
  readonly queues: Queues;
  readonly turns: TurnStores;
  readonly lock_ms: number;
  /** Called with messages for the run's owner. */
  readonly onNotice: (message: string) => void;
}

/** The executor of a run that this worker drives: its own threads or GPU, or several machines. */
function runExecutor(options: RunExecutorOptions): Executor {
  const { run, definition, members, cores, turns, onNotice } = options;
  const num_nodes = run.num_nodes ?? 1;
  if (num_nodes === 1 || definition !== reinforcementLearning) {
    const workers = Math.min(cores, members);
    const threads = new WorkerExecutor({ definition, spawn: spawnWorker, workers, onNotice });
    return onDevice(definition, RESOURCES[run.resource_id].device, threads, onNotice);
  }
  const attempt = { run: run.id, attempt: run.attempt };
  return new QueueExecutor({
    ...options,
    definition: reinforcementLearning,
    store: turns(attempt),
    attempt,
    resource_id: run.resource_id,
    num_nodes,
  });
}

interface RunDriverOptions
  extends Pick<RunExecutorOptions, "database" | "queues" | "turns" | "cores" | "lock_ms"> {
  readonly run: ClaimedRun;
  readonly artifacts: ArtifactStore;
  /** File store of the data sets that runs learn from. */
  readonly files: FileStore;
  /** Whether runs may download data sets from the hub. */
  readonly fetches: boolean;
  /** Notifications of changed run rows. */
  readonly changes: Notifications;
  readonly checkpoint_ms: number;
  /** Milliseconds between polls of the run's row, for changes whose notification was missed. */
  readonly look_ms: number;
}

/** How driving a run ended: the run ended, another worker has claimed it, or another should continue it. */
type Driven = "done" | "lost" | "released";

export class RunDriver {
  readonly #options: RunDriverOptions;
  #driven: { readonly session: RunSession; readonly sink: PostgresSink } | null = null;
  #desired: Desired = "run";
  #releasing = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: RunDriverOptions) {
    this.#options = options;
  }

  /** Stops at the last generation boundary and returns the run to the queue. */
  release(): void {
    this.#releasing = true;
    this.#driven?.sink.release();
    this.#driven?.session.run.stop();
  }

  async drive(): Promise<Driven> {
    try {
      return await this.#drive();
    } catch (error) {
      // The worker that has the run now records its end.
      if (error instanceof LostRunError) return "lost";
      throw error;
    }
  }

  async #drive(): Promise<Driven> {
    const { run, artifacts, checkpoint_ms } = this.#options;
    let start: StartingPoint;
    try {
      start = await startingState(run, this.#options);
    } catch (error) {
      await run.end("failed", `The run could not be started: ${reasonOf(error)}`);
      return "done";
    }
    const { manifest, definition, state, modules } = start;
    const members = state.members.length;
    // Training stops where nothing more can be written.
    const onFailure = (): void => this.#driven?.session.run.stop();
    const sink = new PostgresSink({ run, artifacts, start, checkpoint_ms, onFailure });
    for (const message of start.warnings) sink.warn(message);
    const session = new RunSession(
      {
        ...definition.runs.prepare(manifest, run.row.seed, members, {
          recipe: state.recipe,
          ...(modules && { modules }),
        }),
        files: definition.files,
        makeExecutor: (onNotice) =>
          runExecutor({ ...this.#options, run: run.row, definition, members, onNotice }),
      },
      state,
      sink,
    );
    this.#driven = { session, sink };
    if (this.#releasing) this.release();
    const stopListening = this.#listen();
    try {
      await this.#look();
      await session.train();
      return sink.isReleased ? "released" : "done";
    } finally {
      stopListening();
      await this.#looking;
    }
  }

  /** Watches the state that the run's owner wants, until the returned function is called. */
  #listen(): () => void {
    const { changes, look_ms, run } = this.#options;
    const look = (): void => {
      this.#looking = this.#looking.then(() => this.#look());
    };
    const silence = changes.listen((id) => {
      if (id === null || id === run.row.id) look();
    });
    const timer = setInterval(look, look_ms);
    return () => {
      silence();
      clearInterval(timer);
    };
  }

  async #look(): Promise<void> {
    const { run } = this.#options;
    if (!this.#driven) return;
    const { session, sink } = this.#driven;
    let desired: Desired;
    try {
      desired = await run.desired();
    } catch (error) {
      if (error instanceof LostRunError) sink.fail(error);
      // If the database is unreachable, the next poll tries again.
      return;
    }
    if (desired === this.#desired) return;
    this.#desired = desired;
    if (desired === "stop") session.run.stop();
    if (desired === "pause") session.run.pause();
    if (desired === "run") session.run.resume();
    if (desired !== "stop") sink.state(desired === "pause" ? "paused" : "running");
  }
}
