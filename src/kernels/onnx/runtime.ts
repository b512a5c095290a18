/** onnxruntime-web, loaded on first use. */
import type * as Ort from "onnxruntime-web/wasm";

/** `cpu`: its CPU provider on one thread. `webgpu`: its native GPU provider. */
export type OnnxProvider = "cpu" | "webgpu";

export type Runtime = Pick<typeof Ort, "InferenceSession" | "Tensor" | "env">;

/** Location of the runtime's `.mjs` and `.wasm` files: a folder's URL, or a URL for each of the two. */
export type WasmPaths = Ort.Env.WasmPrefixOrFilePaths;

/** The bare package would be a third build, with an older GPU provider. */
const load: Readonly<Record<OnnxProvider, () => Promise<Runtime>>> = {
  cpu: () => import("onnxruntime-web/wasm"),
  webgpu: () => import("onnxruntime-web/webgpu"),
};

/** @throws Error when the package's files cannot be loaded. */
export async function loadRuntime(provider: OnnxProvider, wasmPaths?: WasmPaths): Promise<Runtime> {
  const runtime = await load[provider]();
  runtime.env.wasm.numThreads = 1;
  if (wasmPaths !== undefined) runtime.env.wasm.wasmPaths = wasmPaths;
  // Its warnings only concern graphs that it would simplify.
  runtime.env.logLevel = "error";
  return runtime;
}
