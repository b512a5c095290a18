/** Element-wise arithmetic on f32, i32 and u32. Operands broadcast as in NumPy. */
import type { ElementwiseOp, GradientRule } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { broadcastShapes, emit } from "../tensor.ts";
import type { Simd } from "../wasm/instructions.ts";
import { cast, greater, less, select } from "./logic.ts";
import { lift, liftPair, type Operand, requireType } from "./operand.ts";

type Arithmetic = (a: number, b: number) => number;

function binary(
  name: string,
  compute: { float?: Arithmetic; int?: Arithmetic },
  simd: { float?: Simd; int?: Simd; unsigned?: Simd },
  wgsl: (a: string, b: string) => string,
  gradient?: GradientRule,
): (a: Operand, b: Operand) => Tensor {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    ...(gradient ? { gradient } : {}),
    evaluate: ([a, b], node) => {
      const rule = node.dtype === "f32" ? compute.float : compute.int;
      if (!rule || a === undefined || b === undefined)
        throw new TypeError(`${name} is not defined for ${node.dtype}`);
      const value = rule(a, b);
      return node.dtype === "u32" ? value >>> 0 : node.dtype === "i32" ? value | 0 : value;
    },
    wasm: (code, args, node) => {
      const int = node.dtype === "u32" ? (simd.unsigned ?? simd.int) : simd.int;
      const instruction = node.dtype === "f32" ? simd.float : int;
      if (!instruction) throw new TypeError(`${name} is not defined for ${node.dtype}`);
      code.apply(instruction, ...args);
    },
    wgsl: ([a = "", b = ""]) => wgsl(a, b),
  };
  return (a, b) => {
    const [x, y] = liftPair(name, a, b);
    requireType(
      name,
      x,
      ...(compute.float ? (["f32"] as const) : []),
      ...(compute.int ? (["i32", "u32"] as const) : []),
    );
    return emit(op, [x, y], {}, broadcastShapes(name, x.shape, y.shape), x.dtype);
  };
}

const operands = (node: Tensor): [Tensor, Tensor] => node.inputs as readonly Tensor[] as [Tensor, Tensor];

export const add = binary(
  "add",
  { float: (a, b) => a + b, int: (a, b) => a + b },
  { float: "f32x4.add", int: "i32x4.add" },
  (a, b) => `(${a} + ${b})`,
  (_n, g) => [g, g],
);

export const sub = binary(
  "sub",
  { float: (a, b) => a - b, int: (a, b) => a - b },
  { float: "f32x4.sub", int: "i32x4.sub" },
  (a, b) => `(${a} - ${b})`,
  (_n, g) => [g, neg(g)],
);

export const mul = binary(
  "mul",
  { float: (a, b) => a * b, int: Math.imul },
  { float: "f32x4.mul", int: "i32x4.mul" },
  (a, b) => `(${a} * ${b})`,
  (n, g) => {
    const [a, b] = operands(n);
    return [mul(g, b), mul(g, a)];
  },
);

export const div = binary(
  "div",
  { float: (a, b) => a / b },
  { float: "f32x4.div" },
  (a, b) => `(${a} / ${b})`,
  (n, g) => {
    const [, b] = operands(n);
    return [div(g, b), neg(div(mul(g, n), b))];
  },
);

/** Smaller operand; at a tie the gradient goes to the first. */
export const minimum = binary(
  "minimum",
  { float: (a, b) => (b < a ? b : a), int: (a, b) => (b < a ? b : a) },
  { float: "f32x4.pmin", int: "i32x4.min_s", unsigned: "i32x4.min_u" },
  (a, b) => `select(${a}, ${b}, ${b} < ${a})`,
  (n, g) => {
    const [a, b] = operands(n);
    const second = less(b, a);
    return [select(second, 0, g), select(second, g, 0)];
  },
);

/** Larger operand; at a tie the gradient goes to the first. */
export const maximum = binary(
  "maximum",
  { float: (a, b) => (a < b ? b : a), int: (a, b) => (a < b ? b : a) },
  { float: "f32x4.pmax", int: "i32x4.max_s", unsigned: "i32x4.max_u" },
  (a, b) => `select(${a}, ${b}, ${a} < ${b})`,
  (n, g) => {
    const [a, b] = operands(n);
    const second = less(a, b);
    return [select(second, 0, g), select(second, g, 0)];
  },
);

export const bitAnd = binary(
  "bitAnd",
  { int: (a, b) => a & b },
  { int: "v128.and" },
  (a, b) => `(${a} & ${b})`,
);
export const bitOr = binary("bitOr", { int: (a, b) => a | b }, { int: "v128.or" }, (a, b) => `(${a} | ${b})`);
export const bitXor = binary(
  "bitXor",
  { int: (a, b) => a ^ b },
  { int: "v128.xor" },
  (a, b) => `(${a} ^ ${b})`,
);

function shift(name: "shiftLeft" | "shiftRight", simd: (unsigned: boolean) => Simd) {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    evaluate: ([a], node) => {
      const by = node.attrs.by as number;
      const x = a as number;
      if (name === "shiftLeft") return node.dtype === "u32" ? (x << by) >>> 0 : x << by;
      return node.dtype === "u32" ? x >>> by : x >> by;
    },
    wasm: (code, [a], node) => {
      code.body
        .get(a as number)
        .i32(node.attrs.by as number)
        .simd(simd(node.dtype === "u32"));
    },
    wgsl: ([a], node) => `(${a} ${name === "shiftLeft" ? "<<" : ">>"} ${node.attrs.by as number}u)`,
  };
  return (x: Tensor, by: number): Tensor => {
    requireType(name, x, "i32", "u32");
    if (!(Number.isInteger(by) && by >= 0 && by < 32))
      throw new RangeError(`${name}: found ${by} bits, allowed 0 to 31`);
    return emit(op, [x], { by }, x.shape, x.dtype);
  };
}

export const shiftLeft = shift("shiftLeft", () => "i32x4.shl");
/** Arithmetic for i32, logical for u32. */
export const shiftRight = shift("shiftRight", (unsigned) => (unsigned ? "i32x4.shr_u" : "i32x4.shr_s"));

function unary(
  name: string,
  compute: (x: number) => number,
  simd: Simd,
  wgsl: (x: string) => string,
  gradient?: GradientRule,
): (x: Operand) => Tensor {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    ...(gradient ? { gradient } : {}),
    evaluate: ([x]) => compute(x as number),
    wasm: (code, args) => code.apply(simd, ...args),
    wgsl: ([x = ""]) => wgsl(x),
  };
  return (operand) => {
    const x = lift(operand, "f32");
    requireType(name, x, "f32");
    return emit(op, [x], {}, x.shape, "f32");
  };
}

export const neg = unary(
  "neg",
  (x) => -x,
  "f32x4.neg",
  (x) => `(-${x})`,
  (_n, g) => [neg(g)],
);

export const abs = unary(
  "abs",
  Math.abs,
  "f32x4.abs",
  (x) => `abs(${x})`,
  (n, g) => {
    const x = n.inputs[0] as Tensor;
    return [mul(g, sub(cast(greater(x, 0), "f32"), cast(less(x, 0), "f32")))];
  },
);

export const sqrt = unary(
  "sqrt",
  Math.sqrt,
  "f32x4.sqrt",
  (x) => `sqrt(${x})`,
  (n, g) => [div(mul(g, 0.5), n)],
);

/** Largest integer not above x; its gradient is zero. */
export const floor = unary("floor", Math.floor, "f32x4.floor", (x) => `floor(${x})`);

export const square = (x: Tensor): Tensor => mul(x, x);

/** Values limited to [low, high]; the gradient is zero outside. */
export const clip = (x: Tensor, low: Operand, high: Operand): Tensor => minimum(maximum(x, low), high);
