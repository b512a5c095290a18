/**
 * Acts on onnxruntime's CPU provider. The base is inside the session, which all members of a thread share; a policy's own
 * weights are inputs of each run.
 */
import type { ModelSession, SessionTensor } from "../../kernels/onnx/OnnxDevice.ts";
import { reasonOf } from "../../storage/files.ts";
import { DECODE_SIZES, decodeProgram } from "./decodeProgram.ts";
import { POSITIONS } from "./names.ts";
import { OnnxDecoding } from "./OnnxDecoding.ts";
import type { Policy } from "./Policy.ts";

export class OnnxActor {
  readonly #policy: Policy;
  #session: Promise<ModelSession> | null = null;
  #own: Readonly<Record<string, SessionTensor>> = {};
  /** Revision of the policy whose weights are `#own`. */
  #revision = -1;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /**
   * An empty cache for `rows` rows of `capacity` tokens, with the policy's present actor.
   * @throws Error when onnxruntime cannot be loaded, or has too little memory for a copy of the base.
   */
  async open(rows: number, capacity: number): Promise<OnnxDecoding> {
    this.#session ??= this.#opened();
    const session = await this.#session;
    await this.#copyActor(session.inputs);
    return new OnnxDecoding(
      this.#policy.model.config,
      (inputs) => session.run({ ...this.#own, ...inputs }),
      rows,
      capacity,
    );
  }

  async #opened(): Promise<ModelSession> {
    const { model, shape } = this.#policy;
    const program = decodeProgram(model.config, shape.tuning, "acting");
    const { ModelSession } = await import("../../kernels/onnx/OnnxDevice.ts");
    const constants = new Map<string, Float32Array>();
    for (const { name, shared } of program.states.values())
      if (shared) constants.set(name, await model.held(name));
    const binding = { [POSITIONS]: model.positions };
    try {
      return await ModelSession.open(program, { free: Object.values(DECODE_SIZES), binding, constants });
    } catch (cause) {
      throw new Error(`${reasonOf(cause)}; set acting to kernels, which need no copy of the model`, {
        cause,
      });
    }
  }

  async #copyActor(inputs: readonly string[]): Promise<void> {
    const { revision } = this.#policy;
    if (revision === this.#revision) return;
    const shapes = this.#policy.shapes();
    const values = await this.#policy.read(
      this.#policy.names("actor").filter((name) => inputs.includes(name)),
    );
    this.#own = Object.fromEntries(
      [...values].map(([name, data]) => [name, { shape: shapes.get(name) ?? [], data }]),
    );
    this.#revision = revision;
  }

  release(): void {
    // If it did not open, there is nothing to release.
    this.#session?.then((session) => session.release()).catch(() => undefined);
    this.#session = null;
  }
}
