/** The reference evaluator: one operation after another on plain arrays. Slow and simple; for tests only. */
import type { Binding, Shape } from "../../../../src/kernels/dim.ts";
import { evalDim } from "../../../../src/kernels/dim.ts";
import type { ElementwiseOp, Evaluation, Operands, ReductionOp, Values } from "../../../../src/kernels/op.ts";
import type { Program } from "../../../../src/kernels/program.ts";
import type { ScanAttrs, ScanRole } from "../../../../src/kernels/scan.ts";
import { bodyValues, scanAttrs, scanInputs } from "../../../../src/kernels/scan.ts";
import type { DType, Region, Tensor } from "../../../../src/kernels/tensor.ts";

export interface EvaluateOptions {
  /** Arithmetic in f64 (for finite differences) instead of rounding each result to f32. */
  readonly precision?: "f32" | "f64";
}

/** Runs a program on the given states, which it changes in place; missing ones start as zeros. */
export function evaluate(
  program: Program,
  states: Map<string, Values>,
  binding: Binding,
  options: EvaluateOptions = {},
): void {
  new Evaluator(states, binding, options.precision ?? "f32").run(program);
}

class Evaluator {
  readonly #states: Map<string, Values>;
  readonly #binding: Binding;
  readonly #precision: "f32" | "f64";
  readonly #values = new Map<Tensor, Values>();
  readonly #scans = new Map<Tensor, Record<ScanRole, readonly Values[]>>();

  constructor(states: Map<string, Values>, binding: Binding, precision: "f32" | "f64") {
    this.#states = states;
    this.#binding = binding;
    this.#precision = precision;
  }

  run(program: Program): void {
    for (const decl of program.states.values()) {
      const size = this.#dims(decl.shape).reduce((a, b) => a * b, 1);
      const known = this.#states.get(decl.name);
      if (!known) this.#states.set(decl.name, this.#alloc(decl.dtype, size));
      else if (known.length !== size)
        throw new RangeError(`state ${decl.name}: found ${known.length} values, allowed ${size}`);
    }
    this.#region(program.region);
  }

  #dims(shape: Shape): number[] {
    return shape.map((dim) => evalDim(dim, this.#binding));
  }

  #alloc(dtype: DType, size: number): Values {
    if (dtype === "u32") return new Uint32Array(size);
    if (dtype !== "f32") return new Int32Array(size);
    return this.#precision === "f64" ? new Float64Array(size) : new Float32Array(size);
  }

  #value(t: Tensor): Values {
    const value = this.#values.get(t);
    if (!value) throw new Error(`reference evaluator: no value for ${t}`);
    return value;
  }

  #region(region: Region): void {
    for (const node of region.nodes) {
      if (node.op.name === "parameter") continue;
      const value = this.#node(node);
      if (value) this.#values.set(node, value);
    }
  }

  #node(node: Tensor): Values | undefined {
    const { op } = node;
    const inputs = () => node.inputs.map((t) => this.#value(t));
    switch (op.kind) {
      case "elementwise":
        return this.#elementwise(node, op);
      case "reduction":
        return this.#reduce(node, op);
      case "view":
        return node.dtype === (node.inputs[0] as Tensor).dtype
          ? this.#value(node.inputs[0] as Tensor)
          : this.#retyped(node);
      case "kernel":
        return op.evaluate(inputs(), node, this.#evaluation(node));
      case "source":
        return this.#source(node);
      case "effect":
        return this.#effect(node);
      case "scan":
        this.#scan(node);
        return undefined;
    }
  }

  #retyped(node: Tensor): Values {
    const x = node.inputs[0] as Tensor;
    const from = this.#value(x);
    // Even in f64 mode, a number's bits are those of its f32 value.
    const bits = x.dtype === "f32" ? Float32Array.from(from) : Int32Array.from(from);
    const out = this.#alloc(node.dtype, from.length);
    out.set(node.dtype === "f32" ? new Float32Array(bits.buffer) : new Int32Array(bits.buffer));
    return out;
  }

  #evaluation(node: Tensor): Evaluation {
    const outShape = this.#dims(node.shape);
    const size = outShape.reduce((a, b) => a * b, 1);
    const alloc = () => this.#alloc(node.dtype, size);
    return {
      binding: this.#binding,
      shapes: node.inputs.map((t) => this.#dims(t.shape)),
      outShape,
      alloc,
      fill: (valueAt) => {
        const out = alloc();
        for (let i = 0; i < size; i++) out[i] = valueAt(i);
        return out;
      },
      round: this.#precision === "f64" ? (x) => x : Math.fround,
    };
  }

  #elementwise(node: Tensor, op: ElementwiseOp): Values {
    const shape = this.#dims(node.shape);
    const size = shape.reduce((a, b) => a * b, 1);
    const out = this.#alloc(node.dtype, size);
    const data = node.inputs.map((t) => this.#value(t));
    const shapes = node.inputs.map((t) => this.#dims(t.shape));
    const args = data.map(() => 0);
    for (let i = 0; i < size; i++) {
      for (let a = 0; a < args.length; a++) {
        const values = data[a] as Values;
        // As many values as the result has are not broadcast.
        const at = values.length === size ? i : broadcastIndex(i, shape, shapes[a] as number[]);
        args[a] = values[at] as number;
      }
      out[i] = op.evaluate(args as readonly number[] as Operands<number>, node);
    }
    return out;
  }

  #reduce(node: Tensor, op: ReductionOp): Values {
    const x = node.inputs[0] as Tensor;
    const shape = this.#dims(x.shape);
    const axis = node.attrs.axis as number;
    const length = shape[axis] ?? 1;
    const inner = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    const data = this.#value(x);
    const out = this.#alloc("f32", data.length / length);
    for (let i = 0; i < out.length; i++) {
      const start = Math.floor(i / inner) * inner * length + (i % inner);
      let total = op.start;
      for (let a = 0; a < length; a++) total = op.combine(total, data[start + a * inner] ?? Number.NaN);
      out[i] = total;
    }
    return out;
  }

  #source(node: Tensor): Values {
    if (node.op.name === "read") {
      const data = this.#states.get(node.attrs.name as string) as Values;
      return data.slice();
    }
    const results = this.#scans.get(node.inputs[0] as Tensor);
    return results?.[node.attrs.role as ScanRole][node.attrs.index as number] as Values;
  }

  #effect(node: Tensor): undefined {
    const data = this.#states.get(node.attrs.name as string) as Values;
    if (node.op.name === "write") {
      data.set(this.#value(node.inputs[0] as Tensor));
      return;
    }
    const [index, rows] = node.inputs.map((t) => this.#value(t)) as [Values, Values];
    const length = rows.length / index.length;
    index.forEach((row, i) => data.set(rows.subarray(i * length, (i + 1) * length), row * length));
  }

  #scan(node: Tensor): void {
    const attrs: ScanAttrs = scanAttrs(node);
    const { count, carry, xs } = scanInputs(node);
    const n = Math.max(0, count ? (this.#value(count)[0] ?? 0) : evalDim(attrs.count ?? 0, this.#binding));
    let carried = carry.map((t) => this.#value(t).slice());
    const stacks = xs.map((t) => this.#value(t));
    const ys = attrs.yResults.map((y) =>
      this.#alloc(y.dtype, n * this.#dims(y.shape).reduce((a, b) => a * b, 1)),
    );
    const inBody = bodyValues(attrs);
    const body = inBody.map((v) => this.#alloc(v.dtype, n * this.#dims(v.shape).reduce((a, b) => a * b, 1)));
    for (let step = 0; step < n; step++) {
      const t = attrs.reverse ? n - 1 - step : step;
      this.#values.set(attrs.t, Int32Array.of(t));
      attrs.carryParameters.forEach((p, i) => this.#values.set(p, carried[i] as Values));
      attrs.xParameters.forEach((p, i) => {
        const stack = stacks[i] as Values;
        const length = stack.length / n;
        this.#values.set(p, stack.slice(t * length, (t + 1) * length));
      });
      this.#region(attrs.region);
      inBody.forEach((v, i) => {
        const value = this.#value(v);
        body[i]?.set(value, t * value.length);
      });
      carried = attrs.carryResults.map((r) => this.#value(r).slice());
      attrs.yResults.forEach((y, i) => {
        const value = this.#value(y);
        ys[i]?.set(value, t * value.length);
      });
      if (attrs.until && this.#value(attrs.until)[0]) break;
    }
    this.#scans.set(node, { carry: carried, ys, body });
  }
}

/** Flat index into an operand of shape `from`, broadcast to `shape`. */
function broadcastIndex(flat: number, shape: readonly number[], from: readonly number[]): number {
  let rest = flat;
  let index = 0;
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] as number;
    const at = rest % size;
    rest = Math.floor(rest / size);
    const own = from[axis - shape.length + from.length];
    if (own === undefined) break;
    if (own !== 1) index += at * stride;
    stride *= own;
  }
  return index;
}
