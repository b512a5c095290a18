/** The ONNX target: a program with its parameters as a model for other runtimes. */
import { type Binding, dimKey, evalDim, type Shape } from "../dim.ts";
import type { Program } from "../program.ts";
import { writes } from "../scan.ts";
import { readOp, writeOp } from "../state.ts";
import type { StateDecl, Tensor } from "../tensor.ts";
import { encodeModel, type OnnxModel, type OnnxValue } from "./model.ts";
import { GraphSizes, OnnxGraph } from "./OnnxGraph.ts";
import { ONNX_FORMS, onnxType, replacedRows } from "./operations.ts";

/** The value of a state that each part of a program sees: that of the last effect before it. */
class StateVersions {
  /** The effect before each read and each write of rows; absent if there is none in this run. */
  readonly before: ReadonlyMap<Tensor, Tensor>;
  /** The last effect on each state that is written, in program order. */
  readonly last: ReadonlyMap<string, Tensor>;
  /** Written states whose value from before the run is also needed. */
  readonly carried: ReadonlySet<string>;

  constructor({ region }: Program) {
    const [before, last] = [new Map<Tensor, Tensor>(), new Map<string, Tensor>()];
    const fromBefore = new Set<string>();
    for (const node of region.nodes) {
      if (node.op !== readOp && node.op.kind !== "effect") continue;
      const name = node.attrs.name as string;
      const effect = last.get(name);
      if (node.op !== writeOp) {
        if (effect) before.set(node, effect);
        else fromBefore.add(name);
      }
      if (node.op.kind !== "effect") continue;
      last.delete(name);
      last.set(name, node);
    }
    this.before = before;
    this.last = last;
    this.carried = new Set([...last.keys()].filter((name) => fromBefore.has(name)));
  }
}

export interface OnnxOptions {
  /** The only symbol of the program that stays unbound (default: none). */
  readonly batch?: string;
  /** Values of its other symbols. */
  readonly binding: Binding;
  /** States whose contents are stored in the model; other states that the program reads are its inputs. */
  readonly parameters: ReadonlyMap<string, ArrayLike<number>>;
  /** Version of the library. */
  readonly version: string;
  /** Stored in the model as strings by name. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Name of the output for a state whose value from before the run is also needed. */
const nextName = (state: string): string => `${state}.next`;

export interface ProgramExport {
  readonly model: OnnxModel;
  /** The state whose new value each output holds, in the order of the model's outputs. */
  readonly written: readonly string[];
}

/** @throws as `toOnnx` does. */
export function exportProgram(program: Program, options: OnnxOptions): ProgramExport {
  return new Exporter(program, options).export();
}

class Exporter {
  readonly #program: Program;
  readonly #options: OnnxOptions;
  readonly #graph = new OnnxGraph();
  readonly #sizes: GraphSizes;
  readonly #values = new Map<Tensor, string>();
  readonly #inputs = new Map<string, OnnxValue>();
  readonly #versions: StateVersions;

  constructor(program: Program, options: OnnxOptions) {
    this.#program = program;
    this.#options = options;
    this.#sizes = new GraphSizes(this.#graph, options.binding, options.batch, () => this.#rows());
    this.#versions = new StateVersions(program);
  }

  export(): ProgramExport {
    const loop = this.#program.region.nodes.find((node) => node.op.kind === "scan" && writes(node));
    if (loop) throw this.#refused(loop);
    const written = [...this.#versions.last];
    const outputs = written.map(([name, effect]) => this.#output(name, effect));
    const { nodes, constants } = this.#graph;
    const model: OnnxModel = {
      name: this.#program.name,
      version: this.#options.version,
      metadata: this.#options.metadata ?? {},
      inputs: [...this.#program.states.keys()].flatMap((name) => this.#inputs.get(name) ?? []),
      outputs,
      constants,
      nodes,
    };
    return { model, written: written.map(([name]) => name) };
  }

  #output(state: string, effect: Tensor): OnnxValue {
    const value = this.#after(effect);
    const name = this.#versions.carried.has(state) ? nextName(state) : state;
    if (name !== state && this.#program.states.has(name)) {
      throw new TypeError(
        `ONNX export of ${this.#program.name}: found states "${state}" and "${name}", which is also the name of the first state's new value; rename one of them`,
      );
    }
    this.#graph.nodes.push({ operator: "Identity", inputs: [value], output: name, attributes: {} });
    return this.#described(name, this.#declared(state));
  }

  /** The value of a state after an effect on it. */
  #after(effect: Tensor): string {
    const known = this.#values.get(effect);
    if (known !== undefined) return known;
    const inputs = effect.inputs.map((input) => this.#value(input));
    const made =
      effect.op === writeOp
        ? (inputs[0] as string)
        : replacedRows(effect, [this.#seenBy(effect), ...inputs], { graph: this.#graph, sizes: this.#sizes });
    this.#values.set(effect, made);
    return made;
  }

  /** The value of a state that a node sees. */
  #seenBy(node: Tensor): string {
    const effect = this.#versions.before.get(node);
    return effect ? this.#after(effect) : this.#initial(node.attrs.name as string);
  }

  #declared(state: string): StateDecl {
    return this.#program.states.get(state) as StateDecl; // Nodes name states of their program.
  }

  /** The value of a node; creates its inputs first. */
  #value(node: Tensor): string {
    const known = this.#values.get(node);
    if (known !== undefined) return known;
    const made = node.op === readOp ? this.#seenBy(node) : this.#computed(node);
    this.#values.set(node, made);
    return made;
  }

  #computed(node: Tensor): string {
    const form = Object.hasOwn(ONNX_FORMS, node.op.name) ? ONNX_FORMS[node.op.name] : undefined;
    if (!form) throw this.#refused(node);
    onnxType(node.dtype);
    const inputs = node.inputs.map((input) => this.#value(input));
    return form(node, inputs, { graph: this.#graph, sizes: this.#sizes });
  }

  /** The value that a state has before the program runs. */
  #initial(name: string): string {
    const declared = this.#declared(name);
    const values = this.#options.parameters.get(name);
    if (values === undefined) this.#inputs.set(name, this.#described(name, declared));
    else if (!this.#graph.constants.some((constant) => constant.name === name)) {
      const shape = declared.shape.map((dim) => evalDim(dim, this.#options.binding));
      this.#graph.constants.push({ name, type: onnxType(declared.dtype), shape, values });
    }
    return name;
  }

  /** An input with the batch as its first dimension. */
  #rows(): string {
    const rows = [...this.#inputs.values()].find(({ shape }) => shape[0] === this.#options.batch);
    if (rows) return rows.name;
    const declared = [...this.#program.states.values()].find((state) => this.#isRows(state));
    if (!declared)
      throw new TypeError(
        `ONNX export of ${this.#program.name}: found no input with "${this.#options.batch}" as its first dimension, allowed at least one`,
      );
    this.#inputs.set(declared.name, this.#described(declared.name, declared));
    return declared.name;
  }

  #isRows({ name, shape: [first] }: StateDecl): boolean {
    const isInput = !this.#versions.last.has(name) && !this.#options.parameters.has(name);
    return isInput && first !== undefined && dimKey(first) === this.#options.batch;
  }

  #described(name: string, { shape, dtype }: Pick<StateDecl, "shape" | "dtype">): OnnxValue {
    return { name, type: onnxType(dtype), shape: this.#shape(shape) };
  }

  #shape(shape: Shape): (number | string)[] {
    return shape.map((dim) => this.#sizes.known(dim) ?? dimKey(dim));
  }

  #refused({ op }: Tensor): TypeError {
    const reason =
      op.kind === "scan" || op.name === "scanResult" ? "a loop (scan)" : `operation "${op.name}"`;
    return new TypeError(
      `ONNX export of ${this.#program.name}: found ${reason}, allowed operations: ${Object.keys(ONNX_FORMS).join(", ")}`,
    );
  }
}

/**
 * Converts a program to an ONNX model. States that it only reads become inputs or constants, and states that
 * it writes become outputs, under their own names. If the model also needs the previous value of a written
 * state `S`, that is the input `S`, and the new value is the output `S.next`. Parts that no output needs are
 * left out.
 * @throws TypeError for operations without an ONNX form (loops, random numbers, u32); RangeError for a symbol
 *   that is not bound.
 */
export function toOnnx(program: Program, options: OnnxOptions): Uint8Array<ArrayBuffer> {
  return encodeModel(exportProgram(program, options).model);
}
