/** Workers that spread members over threads, in a browser or in Node. */
import { spawnWorker as spawnHere } from "#spawn";
import { provideWorkerPool } from "../training/executors.ts";
import type { Spawn } from "./computeProtocol.ts";
import { WorkerExecutor } from "./workerExecutor.ts";

export type { ComputeThread, FromCompute, Spawn, ThreadEvents, ToCompute } from "./computeProtocol.ts";
export { WorkerExecutor, type WorkerExecutorOptions } from "./workerExecutor.ts";

/** Starts compute workers on this platform. */
export const spawnWorker: Spawn = spawnHere;

provideWorkerPool((request) => new WorkerExecutor({ ...request, spawn: spawnWorker }));
