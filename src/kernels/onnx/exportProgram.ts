/** The ONNX target: a program with its parameters as a model for other runtimes. */
import { type Binding, dimKey, evalDim, type Shape } from "../dim.ts";
import type { Program } from "../program.ts";
import { writes } from "../scan.ts";
import { readOp, writeOp } from "../state.ts";
import type { StateDecl, Tensor } from "../tensor.ts";
import { type ConstantValues, ELEMENT_TYPES, encodeModel, type OnnxModel, type OnnxValue } from "./model.ts";
import { GraphSizes, OnnxGraph, type SizePlace } from "./OnnxGraph.ts";
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
  /** Symbols of the program that stay unbound: sizes of its inputs (default: none). */
  readonly free?: readonly string[];
  /** Values of its other symbols. */
  readonly binding: Binding;
  /** States whose contents are stored with the model; other states that the program reads are its inputs. */
  readonly parameters: ReadonlyMap<string, ConstantValues>;
  /** Inputs of integers that are i64 in the model (default: none). */
  readonly wide?: readonly string[];
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
  readonly #free: readonly string[];
  readonly #versions: StateVersions;

  constructor(program: Program, options: OnnxOptions) {
    this.#program = program;
    this.#options = options;
    this.#free = options.free ?? [];
    this.#sizes = new GraphSizes(this.#graph, options.binding, this.#free, (symbol) => this.#placeOf(symbol));
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
    if (values === undefined) return this.#input(declared);
    if (!this.#graph.constants.some((constant) => constant.name === name)) {
      const shape = declared.shape.map((dim) => evalDim(dim, this.#options.binding));
      this.#graph.constants.push({ name, type: onnxType(declared.dtype), shape, values });
    }
    return name;
  }

  /** Adds an input, and returns its value in the program's type. */
  #input(declared: StateDecl): string {
    const { name } = declared;
    const isWide = this.#options.wide?.includes(name) ?? false;
    this.#inputs.set(name, this.#described(name, declared, isWide ? "i64" : onnxType(declared.dtype)));
    return isWide ? this.#graph.node("Cast", [name], { to: ELEMENT_TYPES.i32 }) : name;
  }

  /** An input that has a free size as one of its dimensions, if possible as the first. */
  #placeOf(symbol: string): SizePlace {
    const axisIn = ({ shape }: StateDecl) => shape.findIndex((dim) => dimKey(dim) === symbol);
    const known = [...this.#inputs.keys()].map((name) => this.#declared(name));
    const states = [...known, ...[...this.#program.states.values()].filter((state) => this.#isInput(state))];
    const found = states.find((state) => axisIn(state) === 0) ?? states.find((state) => axisIn(state) > 0);
    if (!found)
      throw new TypeError(
        `ONNX export of ${this.#program.name}: found no input with "${symbol}" as a dimension, allowed at least one`,
      );
    if (!this.#inputs.has(found.name)) this.#input(found);
    return { name: found.name, axis: axisIn(found) };
  }

  #isInput({ name }: StateDecl): boolean {
    return !this.#versions.last.has(name) && !this.#options.parameters.has(name);
  }

  #described(name: string, { shape, dtype }: StateDecl, type = onnxType(dtype)): OnnxValue {
    return { name, type, shape: this.#shape(shape) };
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
