/** Door: compute workers, and what threads load and share. */
export { ComputePool } from "./ComputePool.ts";
export type { Spawn } from "./computeProtocol.ts";
export { PageSandboxes } from "./environments/PageSandboxes.ts";
export { loadModules } from "./loadModules.ts";
export { histogramOf } from "./networkWeights.ts";
export { parseInput } from "./parseInput.ts";
export { storeRun, trainedManifest } from "./storedRun.ts";
export { WorkerClient } from "./workerCalls.ts";
export { WorkerExecutor } from "./workerExecutor.ts";
