/** Door: what the device of WebGPU needs and tells. */
export { adapterName, isSoftwareAdapter } from "./wgsl/adapterName.ts";
export { WebGpuArena } from "./wgsl/arena.ts";
export { busyWorkgroups } from "./wgsl/busyWorkgroups.ts";
export { Cohort, type Progress, Scratch, WebGpuBoundProgram, WebGpuExecutable } from "./wgsl/executable.ts";
export { GpuFault } from "./wgsl/gpuFault.ts";
export { findAdapter, openGpu } from "./wgsl/openGpu.ts";
export { shaderOf } from "./wgsl/shader.ts";
