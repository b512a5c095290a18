/** Door: what runs turns. */
export { Accelerator } from "./executors/Accelerator.ts";
export { resolveDevice } from "./executors/device.ts";
export { makeExecutor, onDevice, provideWorkerPool } from "./executors/makeExecutor.ts";
export { stepsPerSecond } from "./gpu/calibration.ts";
export { GpuExecutor } from "./gpu/GpuExecutor.ts";
export { offPolicyBatches } from "./gpu/slicedTurns.ts";
export type { TrainingDevice } from "./loop/Workload.ts";
export type { AskedDevice } from "./loop/WorkloadDefinition.ts";
