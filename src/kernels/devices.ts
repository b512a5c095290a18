/** Door: the device of WebAssembly, the writer of ONNX models, reports of kernels. */
export { AgingCache } from "./agingCache.ts";
export { OutOfMemoryError } from "./blockAllocator.ts";
export { type KernelReport, mergeKernelReports } from "./kernelReport.ts";
export { toOnnx } from "./onnx/exportProgram.ts";
export { onnxCalls, SerialQueue } from "./onnx/runtime.ts";
export { importOptional, includeModule } from "./optionalPackage.ts";
export { assemble } from "./wasm/assemble.ts";
export * from "./wasm/device.ts";
export { PlanningDevice } from "./wasm/planningDevice.ts";
export { type SharedHeap, sharedHeap } from "./wasm/SharedHeap.ts";
