/** Comparisons, selection and conversions. */
import type { Shape } from "../dim.ts";
import { sameShape, shapeKey } from "../dim.ts";
import type { ElementwiseOp } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";
import { broadcastShapes, emit } from "../tensor.ts";
import type { Simd } from "../wasm/instructions.ts";
import { lift, liftPair, type Operand, requireType } from "./operand.ts";

function comparison(
  name: string,
  compute: (a: number, b: number) => boolean,
  [float, int]: readonly [Simd, Simd],
  operator: string,
) {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    evaluate: ([a, b]) => (compute(a as number, b as number) ? 1 : 0),
    wasm: (code, args, node) => code.apply((node.inputs[0] as Tensor).dtype === "f32" ? float : int, ...args),
    wgsl: ([a, b]) => `(${a} ${operator} ${b})`,
  };
  return (a: Operand, b: Operand): Tensor => {
    const [x, y] = liftPair(name, a, b);
    requireType(name, x, "f32", "i32");
    return emit(op, [x, y], {}, broadcastShapes(name, x.shape, y.shape), "bool");
  };
}

export const less = comparison("less", (a, b) => a < b, ["f32x4.lt", "i32x4.lt_s"], "<");
export const lessEqual = comparison("lessEqual", (a, b) => a <= b, ["f32x4.le", "i32x4.le_s"], "<=");
export const greater = comparison("greater", (a, b) => a > b, ["f32x4.gt", "i32x4.gt_s"], ">");
export const greaterEqual = comparison("greaterEqual", (a, b) => a >= b, ["f32x4.ge", "i32x4.ge_s"], ">=");
export const equal = comparison("equal", (a, b) => a === b, ["f32x4.eq", "i32x4.eq"], "==");

function logical(name: string, compute: (a: number, b: number) => number, simd: Simd, operator: string) {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    evaluate: ([a, b]) => compute(a as number, b as number),
    wasm: (code, args) => code.apply(simd, ...args),
    wgsl: ([a, b]) => `(${a} ${operator} ${b})`,
  };
  return (a: Tensor, b: Tensor): Tensor => {
    requireType(name, a, "bool");
    requireType(name, b, "bool");
    return emit(op, [a, b], {}, broadcastShapes(name, a.shape, b.shape), "bool");
  };
}

export const and = logical("and", (a, b) => a & b, "v128.and", "&&");
export const or = logical("or", (a, b) => a | b, "v128.or", "||");

const notOp: ElementwiseOp = {
  kind: "elementwise",
  name: "not",
  evaluate: ([a]) => (a ? 0 : 1),
  wasm: (code, args) => code.apply("v128.not", ...args),
  wgsl: ([a]) => `(!${a})`,
};

export function not(a: Tensor): Tensor {
  requireType("not", a, "bool");
  return emit(notOp, [a], {}, a.shape, "bool");
}

const selectOp: ElementwiseOp = {
  kind: "elementwise",
  name: "select",
  gradient: (node, g) => {
    const condition = node.inputs[0] as Tensor;
    return [null, select(condition, g, 0), select(condition, 0, g)];
  },
  evaluate: ([condition, a, b]) => (condition ? (a as number) : (b as number)),
  wasm: (code, [condition, a, b]) =>
    code.apply("v128.bitselect", a as number, b as number, condition as number),
  wgsl: ([condition, a, b]) => `select(${b}, ${a}, ${condition})`,
};

/** `a` where the condition holds, else `b`; the branch not taken has no effect on gradients. */
export function select(condition: Tensor, a: Operand, b: Operand): Tensor {
  requireType("select", condition, "bool");
  const [x, y] = liftPair("select", a, b);
  const shape = broadcastShapes("select", condition.shape, broadcastShapes("select", x.shape, y.shape));
  return emit(selectOp, [condition, x, y], {}, shape, x.dtype);
}

const castOp: ElementwiseOp = {
  kind: "elementwise",
  name: "cast",
  evaluate: ([x], node) => {
    const value = x as number;
    const from = (node.inputs[0] as Tensor).dtype;
    if (node.dtype === "f32") return value;
    if (from !== "f32") return node.dtype === "u32" ? value >>> 0 : value | 0;
    return Math.max(-2147483648, Math.min(2147483647, Math.trunc(value)));
  },
  wasm: (code, [x], node) => {
    const from = (node.inputs[0] as Tensor).dtype;
    code.body.get(x as number);
    if (node.dtype === "f32") {
      if (from === "bool") code.body.f32x4(1).simd("v128.and");
      else code.body.simd(from === "u32" ? "f32x4.convert_i32x4_u" : "f32x4.convert_i32x4_s");
    } else if (from === "f32") code.body.simd("i32x4.trunc_sat_f32x4_s");
    else if (from === "bool") code.body.i32x4(1).simd("v128.and");
  },
  wgsl: ([x], node) => {
    const from = (node.inputs[0] as Tensor).dtype;
    if (from === "bool") return `select(${node.dtype}(0), ${node.dtype}(1), ${x})`;
    if (node.dtype === "f32") return from === "u32" ? `floatOf(${x})` : `f32(${x})`;
    return from === "f32" ? `truncated(${x})` : `bitcast<${node.dtype}>(${x})`;
  },
};

/** Converts the element type: f32 to integers truncates toward zero, bool becomes 0 or 1. */
export function cast(x: Tensor, dtype: Exclude<DType, "bool">): Tensor {
  if (x.dtype === dtype) return x;
  if (x.dtype === "f32" && dtype === "u32")
    throw new TypeError("cast: f32 to u32 is not defined; go through i32");
  return emit(castOp, [x], {}, x.shape, dtype);
}

const broadcastOp: ElementwiseOp = {
  kind: "elementwise",
  name: "broadcast",
  gradient: (_node, g) => [g],
  evaluate: ([x]) => x as number,
  wasm: (code, [x]) => code.body.get(x as number),
  wgsl: ([x = ""]) => x,
};

/** Broadcasts the operand to `shape` by NumPy's rules.
 * @throws RangeError when the operand does not fit into the shape. */
export function broadcastTo(operand: Operand, shape: Shape): Tensor {
  const x = lift(operand, "f32");
  if (!sameShape(broadcastShapes("broadcastTo", x.shape, shape), shape))
    throw new RangeError(`broadcastTo: ${shapeKey(x.shape)} does not fit into ${shapeKey(shape)}`);
  return emit(broadcastOp, [x], {}, shape, x.dtype);
}
