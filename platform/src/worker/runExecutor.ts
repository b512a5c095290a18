/** Creates the executor of a run that this worker drives: its own threads or GPU, or several machines. */
import { onDevice } from "../../../src/training/executors.ts";
import type { Executor, WorkloadDefinition } from "../../../src/training/loop.ts";
import { reinforcementLearning } from "../../../src/training/workloads.ts";
import { spawnWorker, WorkerExecutor } from "../../../src/workers/index.ts";
import type { TurnStores } from "../artifacts/TurnStore.ts";
import type { Database } from "../database/Database.ts";
import type { Queues } from "../jobs/Queues.ts";
import { QueueExecutor } from "../nodes/QueueExecutor.ts";
import type { RunRow } from "../runs/RunRow.ts";
import { RESOURCES } from "./resources.ts";

export interface RunExecutorOptions {
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

export function runExecutor(options: RunExecutorOptions): Executor {
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
