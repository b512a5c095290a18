/** Write tensor programs, and run them on the CPU or a GPU, for mathematics of your own (docs/kernels.md). */
export type { Arena, BoundProgram, Data, Device, Executable } from "./device.ts";
export * from "./dim.ts";
export { elu, gelu, leakyRelu, logSoftmax, sigmoid, softmax, softplus } from "./functions/activations.ts";
export { type LayerNormOptions, layerNorm, linear } from "./functions/layers.ts";
export {
  type AdamOptions,
  adam,
  clipByGlobalNorm,
  globalNorm,
  polyak,
  type RmsPropOptions,
  rmsProp,
  type SgdOptions,
  sgd,
  type Update,
} from "./functions/optimizers.ts";
export { hostKey, type RandomKey, randomNormal, randomUniform } from "./functions/random.ts";
export { grad, vjp } from "./gradient.ts";
export type { KernelReport } from "./kernelReport.ts";
export * from "./ops/arithmetic.ts";
export { packBytes, unpackBytes } from "./ops/bytes.ts";
export { cos, exp, log, sin, tanh } from "./ops/curves.ts";
export { halvesMatmul, packedHalves, unpackHalves } from "./ops/halves.ts";
export {
  argmax,
  column,
  concat,
  dimValue,
  iota,
  slice,
  stackColumns,
} from "./ops/indexing.ts";
export { int8Matmul, type PackedInt8, packedInt8, unpackInt8 } from "./ops/int8.ts";
export { permute, reinterpret, reshape, stopGradient, transpose } from "./ops/layout.ts";
export * from "./ops/logic.ts";
export { type BatchMatmulOptions, batchMatmul, type MatmulOptions, matmul } from "./ops/matmul.ts";
export { constant, type Operand, ones, zeros } from "./ops/operand.ts";
export type { PackedMatmulOptions } from "./ops/packedFactor.ts";
export { patches, type Window } from "./ops/patches.ts";
export { permutation } from "./ops/permutation.ts";
export * from "./ops/reduction.ts";
export { sumRowsAt, takeRows } from "./ops/rows.ts";
export { standardize } from "./ops/standardize.ts";
export { type Program, programText, trace } from "./program.ts";
export { type ScanBodyResult, type ScanResult, type ScanSpec, scan } from "./scan.ts";
export { State, type StateOptions, state } from "./state.ts";
export { type DType, type StateDecl, Tensor } from "./tensor.ts";
export {
  simdSupported,
  type WasmArena,
  type WasmBoundProgram,
  WasmDevice,
  type WasmExecutable,
} from "./wasm/device.ts";
