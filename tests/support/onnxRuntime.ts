/** onnxruntime as an independent reader of exported models. */
import * as ort from "onnxruntime-web/wasm";
import { onnxCalls } from "../../src/kernels/onnx/runtime.ts";

ort.env.wasm.numThreads = 1;
// Its own warnings are about graphs that it would simplify.
ort.env.logLevel = "error";

/** A tensor's contents: bool as 0 or 1. */
export interface RuntimeTensor {
  readonly type: string;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

export interface RuntimeInput {
  readonly type: "float32" | "int32" | "bool";
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

const ARRAYS = { float32: Float32Array, int32: Int32Array, bool: Uint8Array } as const;

/** A model as onnxruntime loads it. */
export class RuntimeModel {
  readonly #session: ort.InferenceSession;

  private constructor(session: ort.InferenceSession) {
    this.#session = session;
  }

  /** @throws Error where the runtime finds the model faulty. */
  static load(bytes: Uint8Array): Promise<RuntimeModel> {
    return onnxCalls.run(async () => new RuntimeModel(await ort.InferenceSession.create(bytes)));
  }

  get inputs(): readonly ort.InferenceSession.ValueMetadata[] {
    return this.#session.inputMetadata;
  }

  get outputs(): readonly ort.InferenceSession.ValueMetadata[] {
    return this.#session.outputMetadata;
  }

  run(inputs: Readonly<Record<string, RuntimeInput>>): Promise<Readonly<Record<string, RuntimeTensor>>> {
    const feeds = Object.fromEntries(
      Object.entries(inputs).map(([name, { type, shape, values }]) => [
        name,
        new ort.Tensor(type, ARRAYS[type].from(values), shape),
      ]),
    );
    return onnxCalls.run(async () => {
      const results = await this.#session.run(feeds);
      return Object.fromEntries(
        Object.entries(results).map(([name, { type, dims, data }]) => [
          name,
          { type, shape: dims, values: Array.from(data as Iterable<number>, Number) },
        ]),
      );
    });
  }

  release(): Promise<void> {
    return onnxCalls.run(() => this.#session.release());
  }
}
