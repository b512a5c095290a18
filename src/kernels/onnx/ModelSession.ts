/** A program with free sizes as a session of onnxruntime's CPU provider, with constants that it reads in place. */
import type { InferenceSession } from "onnxruntime-web/wasm";
import type { Program } from "../program.ts";
import { exportProgram, type OnnxOptions } from "./exportProgram.ts";
import { encodeModel } from "./model.ts";
import { loadRuntime, onnxCalls, type Runtime } from "./runtime.ts";

/** A row-major tensor. */
export interface SessionTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array;
}

export interface ModelSessionOptions extends Pick<OnnxOptions, "free" | "binding"> {
  /** Values of the states that are constants, f32. They are only read until the session is open. */
  readonly constants: ReadonlyMap<string, Float32Array>;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export class ModelSession {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;

  private constructor(runtime: Runtime, session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /**
   * @throws Error when onnxruntime cannot be loaded, or has too little memory for another copy of the constants;
   *   TypeError for operations without an ONNX form.
   */
  static async open(program: Program, { constants, ...options }: ModelSessionOptions): Promise<ModelSession> {
    const runtime = await loadRuntime("cpu");
    const parameters = new Map([...constants.keys()].map((name) => [name, { file: name, offset: 0 }]));
    const { model } = exportProgram(program, { ...options, parameters, version: "" });
    const used = new Set(model.constants.map(({ name }) => name));
    const externalData = [...constants]
      .filter(([name]) => used.has(name))
      .map(([path, values]) => ({ path, data: bytesOf(values) }));
    try {
      const session = await onnxCalls.run(() =>
        runtime.InferenceSession.create(encodeModel(model), {
          executionProviders: ["wasm"],
          externalData,
          // It plans for each set of sizes that it meets, and keeps the plans.
          enableMemPattern: false,
        }),
      );
      return new ModelSession(runtime, session);
    } catch (cause) {
      const bytes = externalData.reduce((all, { data }) => all + data.length, 0);
      throw new Error(
        `program ${program.name}: onnxruntime could not open it with ${Math.ceil(bytes / 2 ** 20)} MiB of weights (${cause instanceof Error ? cause.message : String(cause)})`,
        { cause },
      );
    }
  }

  /** Runs the program on its inputs by name. */
  run(inputs: Readonly<Record<string, SessionTensor>>): Promise<ReadonlyMap<string, SessionTensor>> {
    const { Tensor } = this.#runtime;
    return onnxCalls.run(async () => {
      const feeds = Object.fromEntries(
        Object.entries(inputs).map(([name, { data, shape }]) => [
          name,
          data instanceof Float32Array
            ? new Tensor("float32", data, shape)
            : new Tensor("int32", data, shape),
        ]),
      );
      const results = await this.#session.run(feeds);
      return new Map(
        Object.entries(results).map(([name, { dims, data }]) => [
          name,
          { shape: dims, data: data as Float32Array }, // all outputs are f32
        ]),
      );
    });
  }

  /** Names of the inputs. */
  get inputs(): readonly string[] {
    return this.#session.inputNames;
  }

  async release(): Promise<void> {
    await onnxCalls.run(() => this.#session.release());
  }
}
