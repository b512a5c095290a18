/** The ONNX target: a forward program with its parameters as a model that other runtimes read. */
import type { Binding, Shape } from "../dim.ts";
import { dimKey, evalDim } from "../dim.ts";
import type { Program } from "../program.ts";
import type { StateDecl, Tensor } from "../tensor.ts";
import { GraphSizes } from "./GraphSizes.ts";
import { encodeModel, type OnnxValue } from "./model.ts";
import { OnnxGraph } from "./OnnxGraph.ts";
import { ONNX_FORMS, onnxType } from "./operations.ts";

export interface OnnxOptions {
  /** The symbol of the program that stays open, as the only one. */
  readonly batch: string;
  /** Values of its other symbols. */
  readonly binding: Binding;
  /** States whose contents go into the model; the others that the program reads are the model's inputs. */
  readonly parameters: ReadonlyMap<string, ArrayLike<number>>;
  /** Version of the library. */
  readonly version: string;
  /** Kept in the model as texts by name. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * An ONNX model of a program: states that it only reads become inputs or constants, those that it writes outputs, under
 * their own names. What no output needs is left out.
 * @throws TypeError for operations that ONNX models cannot have here (loops, random numbers, writes to rows, u32);
 *   RangeError for a symbol that is not bound.
 */
export function toOnnx(program: Program, options: OnnxOptions): Uint8Array<ArrayBuffer> {
  return new Exporter(program, options).export();
}

class Exporter {
  readonly #program: Program;
  readonly #options: OnnxOptions;
  readonly #graph = new OnnxGraph();
  readonly #sizes: GraphSizes;
  readonly #values = new Map<Tensor, string>();
  readonly #inputs = new Map<string, OnnxValue>();
  readonly #written: ReadonlySet<string>;

  constructor(program: Program, options: OnnxOptions) {
    this.#program = program;
    this.#options = options;
    this.#sizes = new GraphSizes(this.#graph, options.binding, options.batch, () => this.#rows());
    const writes = program.region.nodes.filter(({ op }) => op.name === "write");
    this.#written = new Set(writes.map(({ attrs }) => attrs.name as string));
  }

  export(): Uint8Array<ArrayBuffer> {
    const outputs = this.#program.region.nodes.flatMap((node) =>
      node.op.kind === "effect" ? this.#output(node) : [],
    );
    const { nodes, constants } = this.#graph;
    return encodeModel({
      name: this.#program.name,
      version: this.#options.version,
      metadata: this.#options.metadata ?? {},
      inputs: [...this.#program.states.keys()].flatMap((name) => this.#inputs.get(name) ?? []),
      outputs,
      constants,
      nodes,
    });
  }

  #output(node: Tensor): OnnxValue {
    if (node.op.name !== "write") throw this.#refused(node);
    const name = node.attrs.name as string;
    const value = this.#value(node.inputs[0] as Tensor);
    this.#graph.nodes.push({ operator: "Identity", inputs: [value], output: name, attributes: {} });
    return this.#described(name, node);
  }

  /** The value of a node, with all that it needs made first. */
  #value(node: Tensor): string {
    const known = this.#values.get(node);
    if (known !== undefined) return known;
    const made = node.op.name === "read" ? this.#read(node) : this.#computed(node);
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

  #read(node: Tensor): string {
    const name = node.attrs.name as string;
    if (this.#written.has(name)) {
      throw new TypeError(
        `ONNX export of ${this.#program.name}: state "${name}" is read and written, allowed one of the two; give its new value another name`,
      );
    }
    const values = this.#options.parameters.get(name);
    if (values === undefined) this.#inputs.set(name, this.#described(name, node));
    else if (!this.#graph.constants.some((constant) => constant.name === name)) {
      const shape = node.shape.map((dim) => evalDim(dim, this.#options.binding));
      this.#graph.constants.push({ name, type: onnxType(node.dtype), shape, values });
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
        `ONNX export of ${this.#program.name}: found no input with "${this.#options.batch}" as its first dimension, allowed one or more`,
      );
    this.#inputs.set(declared.name, this.#described(declared.name, declared));
    return declared.name;
  }

  #isRows({ name, shape: [first] }: StateDecl): boolean {
    const isInput = !this.#written.has(name) && !this.#options.parameters.has(name);
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
      `ONNX export of ${this.#program.name}: found ${reason}, allowed operations of a forward pass: ${Object.keys(ONNX_FORMS).join(", ")}`,
    );
  }
}
