/**
 * `import "rlkit/onnxruntime-web"` includes ONNX Runtime in a page's program, for language models on device "webgpu", and
 * for those whose completions it generates on the CPU. The package onnxruntime-web must be installed. Node does not need it.
 */
import { includeModule } from "../optionalPackage.ts";

/** The module of ONNX Runtime that is included, loaded on first use. */
export const onnxRuntime = (): Promise<unknown> => import("onnxruntime-web/webgpu");

includeModule("onnxruntime-web/webgpu", onnxRuntime);
// It has the CPU provider too, so that pages and their bundles need one WebAssembly file.
includeModule("onnxruntime-web/wasm", onnxRuntime);
