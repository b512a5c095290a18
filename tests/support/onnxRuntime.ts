/** onnxruntime as an independent reader of exported models. */
import * as ort from "onnxruntime-web/wasm";
import { onnxCalls } from "../../src/kernels/devices.ts";

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
  readonly type: "float32" | "int32" | "int64" | "bool";
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

const ARRAYS = { float32: Float32Array, int32: Int32Array, bool: Uint8Array } as const;

const dataOf = ({ type, values }: RuntimeInput) =>
  type === "int64" ? BigInt64Array.from(Array.from(values, BigInt)) : ARRAYS[type].from(values);

/** A model as onnxruntime loads it. */
export class RuntimeModel {
  readonly #session: ort.InferenceSession;

  private constructor(session: ort.InferenceSession) {
    this.#session = session;
  }

  /**
   * @param outside Files beside the model's, by name.
   * @throws Error where the runtime finds the model faulty.
   */
  static load(bytes: Uint8Array, outside: Readonly<Record<string, Uint8Array>> = {}): Promise<RuntimeModel> {
    const externalData = Object.entries(outside).map(([path, data]) => ({ path, data }));
    return onnxCalls.run(
      async () => new RuntimeModel(await ort.InferenceSession.create(bytes, { externalData })),
    );
  }

  get inputs(): readonly ort.InferenceSession.ValueMetadata[] {
    return this.#session.inputMetadata;
  }

  get outputs(): readonly ort.InferenceSession.ValueMetadata[] {
    return this.#session.outputMetadata;
  }

  run(inputs: Readonly<Record<string, RuntimeInput>>): Promise<Readonly<Record<string, RuntimeTensor>>> {
    const feeds = Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [
        name,
        new ort.Tensor(input.type, dataOf(input), input.shape),
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
