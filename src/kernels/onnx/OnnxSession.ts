import type { InferenceSession } from "onnxruntime-web/wasm";
import type { Binding } from "../dim.ts";
import type { Program } from "../program.ts";
import type { StateDecl } from "../tensor.ts";
import { exportProgram } from "./exportProgram.ts";
import { encodeModel, type OnnxModel } from "./model.ts";

/** A state that a session reads or writes. */
interface Port {
  /** Name of the session's input or output. */
  readonly name: string;
  readonly state: StateDecl;
  readonly shape: readonly number[];
}

interface OutputPort extends Port {
  /** Whether the state's value from before the run is an input. */
  readonly carried: boolean;
}

/** Facts about a created session. */
export interface SessionFacts {
  readonly bytes: number;
  readonly operators: readonly string[];
}

/** A program with all sizes known, as an onnxruntime session that is created on the first run. */
export class OnnxSession {
  readonly inputs: readonly Port[];
  readonly outputs: readonly OutputPort[];
  #model: OnnxModel | null;
  #session: InferenceSession | null = null;

  /** @throws TypeError for operations that have no ONNX form; RangeError for a symbol that is not bound. */
  constructor(program: Program, binding: Binding) {
    const { model, written } = exportProgram(program, { binding, parameters: new Map(), version: "" });
    const port = ({ name, shape }: OnnxModel["inputs"][number], state: string): Port => ({
      name,
      state: program.states.get(state) as StateDecl, // Exports name states of their program.
      shape: shape as number[], // All sizes are known.
    });
    this.inputs = model.inputs.map((value) => port(value, value.name));
    this.outputs = model.outputs.map((value, i) => {
      const state = written[i] as string; // One for each output.
      return { ...port(value, state), carried: value.name !== state };
    });
    this.#model = model;
  }

  /** Call it only from the queue of all calls. */
  async open(
    create: (bytes: Uint8Array) => Promise<InferenceSession>,
    made: (facts: SessionFacts) => void,
  ): Promise<InferenceSession> {
    if (this.#session) return this.#session;
    if (!this.#model) throw new Error("a session was opened after its release");
    const bytes = encodeModel(this.#model);
    this.#session = await create(bytes);
    made({
      bytes: bytes.length,
      operators: [...new Set(this.#model.nodes.map(({ operator }) => operator))],
    });
    this.#model = null;
    return this.#session;
  }

  /** Call it only from the queue of all calls. */
  async release(): Promise<void> {
    const session = this.#session;
    this.#session = this.#model = null;
    await session?.release();
  }
}
