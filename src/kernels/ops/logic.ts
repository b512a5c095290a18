/** Comparisons, selection and conversions. */
import type { Shape } from "../dim.ts";
import { sameShape, shapeKey } from "../dim.ts";
import type { ElementwiseName, ElementwiseOp } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";
import { broadcastShapes, emit } from "../tensor.ts";
import { lift, liftPair, type Operand, requireType } from "./operand.ts";

function comparison(name: ElementwiseName, compute: (a: number, b: number) => boolean) {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    evaluate: ([a, b]) => (compute(a, b) ? 1 : 0),
  };
  return (a: Operand, b: Operand): Tensor => {
    const [x, y] = liftPair(name, a, b);
    requireType(name, x, "f32", "i32");
    return emit(op, [x, y], {}, broadcastShapes(name, x.shape, y.shape), "bool");
  };
}

export const less = comparison("less", (a, b) => a < b);
export const lessEqual = comparison("lessEqual", (a, b) => a <= b);
export const greater = comparison("greater", (a, b) => a > b);
export const greaterEqual = comparison("greaterEqual", (a, b) => a >= b);
export const equal = comparison("equal", (a, b) => a === b);

function logical(name: ElementwiseName, compute: (a: number, b: number) => number) {
  const op: ElementwiseOp = { kind: "elementwise", name, evaluate: ([a, b]) => compute(a, b) };
  return (a: Tensor, b: Tensor): Tensor => {
    requireType(name, a, "bool");
    requireType(name, b, "bool");
    return emit(op, [a, b], {}, broadcastShapes(name, a.shape, b.shape), "bool");
  };
}

export const and = logical("and", (a, b) => a & b);
export const or = logical("or", (a, b) => a | b);

const notOp: ElementwiseOp = { kind: "elementwise", name: "not", evaluate: ([a]) => (a ? 0 : 1) };

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
  evaluate: ([condition, a, b]) => (condition ? a : b),
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
  evaluate: ([value], node) => {
    const from = (node.inputs[0] as Tensor).dtype;
    if (node.dtype === "f32") return value;
    if (from !== "f32") return node.dtype === "u32" ? value >>> 0 : value | 0;
    return Math.max(-2147483648, Math.min(2147483647, Math.trunc(value)));
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
  evaluate: ([x]) => x,
};

/** Broadcasts the operand to `shape` by NumPy's rules.
 * @throws RangeError when the operand does not fit into the shape. */
export function broadcastTo(operand: Operand, shape: Shape): Tensor {
  const x = lift(operand, "f32");
  if (!sameShape(broadcastShapes("broadcastTo", x.shape, shape), shape))
    throw new RangeError(`broadcastTo: ${shapeKey(x.shape)} does not fit into ${shapeKey(shape)}`);
  return emit(broadcastOp, [x], {}, shape, x.dtype);
}
