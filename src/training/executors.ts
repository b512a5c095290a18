/** Door: what runs turns. */
export { Accelerator } from "./executors/Accelerator.ts";
export { type AskedDevice, resolveDevice, type TrainingDevice } from "./executors/device.ts";
export { makeExecutor, onDevice, provideWorkerPool } from "./executors/makeExecutor.ts";
export { stepsPerSecond } from "./gpu/calibration.ts";
export { GpuExecutor } from "./gpu/GpuExecutor.ts";
export { offPolicyBatches } from "./gpu/slicedTurns.ts";
