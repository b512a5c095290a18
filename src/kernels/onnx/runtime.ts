/** onnxruntime-web, loaded on first use, and the queue of its calls. */
import type * as Ort from "onnxruntime-web/wasm";
import { importOptional } from "../optionalPackage.ts";

/** `cpu`: its CPU provider on one thread. `webgpu`: its native GPU provider. */
export type OnnxProvider = "cpu" | "webgpu";

export type Runtime = Pick<typeof Ort, "InferenceSession" | "Tensor" | "env">;

/** The bare package would be a third build, with an older GPU provider. */
const MODULES: Readonly<Record<OnnxProvider, { readonly path: string; readonly use: string }>> = {
  cpu: { path: "onnxruntime-web/wasm", use: "language models that act on ONNX Runtime" },
  webgpu: { path: "onnxruntime-web/webgpu", use: 'language models on device "webgpu"' },
};

/** @throws Error when the package is not there, or its files cannot be loaded. */
export async function loadRuntime(provider: OnnxProvider): Promise<Runtime> {
  const { path, use } = MODULES[provider];
  const runtime = (await importOptional("onnxruntime-web", use, path)) as Runtime;
  runtime.env.wasm.numThreads = 1;
  // Its warnings only concern graphs that it would simplify.
  runtime.env.logLevel = "error";
  return runtime;
}

/** Runs calls one at a time, in the order in which they were requested. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs the call after all earlier calls have ended, including failed ones. */
  run<T>(call: () => T | Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#last.then(call).finally(() => {
      this.#waiting--;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** All calls of onnxruntime in this thread: two overlapping calls would break its WebAssembly instance. */
export const onnxCalls = new SerialQueue();
