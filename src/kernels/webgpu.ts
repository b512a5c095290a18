/** Door: what the device of WebGPU needs and tells. */
export { WebGpuArena } from "./wgsl/arena.ts";
export { busyWorkgroups } from "./wgsl/busyWorkgroups.ts";
export { Cohort, type Progress, Scratch, WebGpuBoundProgram, WebGpuExecutable } from "./wgsl/executable.ts";
export { adapterName, GpuFault, isSoftwareAdapter } from "./wgsl/gpuFacts.ts";
export { findAdapter, openGpu } from "./wgsl/openGpu.ts";
export { shaderOf } from "./wgsl/shader.ts";
