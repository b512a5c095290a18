/** Spread the members of a run over threads, in a browser or in Node; `Accelerator` does it for trainers. */
import { spawnWorker as spawnHere } from "#spawn";
import { provideWorkerPool } from "../training/executors.ts";
import { WorkerExecutor } from "./compute/workerExecutor.ts";
import type { Spawn } from "./protocol/compute.ts";

export { WorkerExecutor, type WorkerExecutorOptions } from "./compute/workerExecutor.ts";
export type { ComputeThread, FromCompute, Spawn, ThreadEvents, ToCompute } from "./protocol/compute.ts";

/** Starts compute workers on this platform. */
export const spawnWorker: Spawn = spawnHere;

provideWorkerPool((request) => new WorkerExecutor({ ...request, spawn: spawnWorker }));
