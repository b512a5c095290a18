/**
 * Import it in a page's program whose language models train on device "webgpu", or generate by ONNX Runtime on the CPU:
 * `import "rlkit/onnxruntime-web"`. The package onnxruntime-web must be installed. Node does not need it.
 */
import { includeModule } from "../optionalPackage.ts";

/** The module of ONNX Runtime that is included, loaded on first use. */
export const onnxRuntime = (): Promise<unknown> => import("onnxruntime-web/webgpu");

includeModule("onnxruntime-web/webgpu", onnxRuntime);
// It has the CPU provider too, so that pages and their bundles need one WebAssembly file.
includeModule("onnxruntime-web/wasm", onnxRuntime);
