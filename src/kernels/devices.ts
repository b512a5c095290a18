/** Door: the device of WebAssembly, the writer of ONNX models, reports of kernels. */

export { AgingCache } from "./agingCache.ts";
export { type KernelReport, mergeKernelReports } from "./kernelReport.ts";
export { OutOfMemoryError } from "./OutOfMemoryError.ts";
export { onnxCalls, SerialQueue } from "./onnx/SerialQueue.ts";
export { toOnnx } from "./onnx/toOnnx.ts";
export { importOptional, includeModule } from "./optionalPackage.ts";
export { assemble } from "./wasm/assemble.ts";
export { WasmArena, WasmBoundProgram, WasmDevice } from "./wasm/device.ts";
export { type DeviceOption, deviceOf, sharedDevice } from "./wasm/sharedDevice.ts";
