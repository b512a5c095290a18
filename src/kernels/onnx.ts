/** Door: the writer of ONNX models, and optional packages. */
export { SerialQueue } from "./onnx/SerialQueue.ts";
export { toOnnx } from "./onnx/toOnnx.ts";
export { importOptional, includeModule } from "./optionalPackage.ts";
