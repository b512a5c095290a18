/** Door: the device of WebAssembly, memory of machines, reports of kernels. */

export { AgingCache } from "./agingCache.ts";
export { type KernelReport, mergeKernelReports } from "./kernelReport.ts";
export { machineMemory, megabytes, memoryNeed } from "./machineMemory.ts";
export { OutOfMemoryError } from "./OutOfMemoryError.ts";
export { WasmArena, WasmBoundProgram, WasmDevice } from "./wasm/device.ts";
export { type DeviceOption, deviceOf, sharedDevice } from "./wasm/sharedDevice.ts";
