/** Door: compute workers, and what threads load and share. */
export { ComputePool } from "./compute/ComputePool.ts";
export { loadModules } from "./compute/loadModules.ts";
export { PageSandboxes } from "./compute/PageSandboxes.ts";
export { WorkerExecutor } from "./compute/workerExecutor.ts";
export { parseInput } from "./coordinator/parseInput.ts";
export { histogramOf } from "./files/agentFile.ts";
export { storeRun, trainedManifest } from "./files/storedRun.ts";
export type { Spawn } from "./protocol/compute.ts";
export { installErrorTransfer, WorkerClient } from "./protocol/workerCalls.ts";
