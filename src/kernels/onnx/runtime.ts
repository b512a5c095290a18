/** onnxruntime-web, loaded on first use. */
import type * as Ort from "onnxruntime-web/wasm";
import { importOptional } from "../optionalPackage.ts";

/** `cpu`: its CPU provider on one thread. `webgpu`: its native GPU provider. */
export type OnnxProvider = "cpu" | "webgpu";

export type Runtime = Pick<typeof Ort, "InferenceSession" | "Tensor" | "env">;

/** The bare package would be a third build, with an older GPU provider. */
const MODULES: Readonly<Record<OnnxProvider, string>> = {
  cpu: "onnxruntime-web/wasm",
  webgpu: "onnxruntime-web/webgpu",
};

/** @throws Error when the package is not there, or its files cannot be loaded. */
export async function loadRuntime(provider: OnnxProvider): Promise<Runtime> {
  const loaded = await importOptional(
    "onnxruntime-web",
    'language models on device "webgpu"',
    MODULES[provider],
  );
  const runtime = loaded as Runtime;
  runtime.env.wasm.numThreads = 1;
  // Its warnings only concern graphs that it would simplify.
  runtime.env.logLevel = "error";
  return runtime;
}
