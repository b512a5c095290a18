/** Operands of operations: tensors, or plain numbers that become constants; operations on one or two of them. */
import type { Shape } from "../dim.ts";
import type { ElementwiseName, ElementwiseOp, GradientRule } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";
import { broadcastShapes, emit } from "../tensor.ts";

export type Operand = Tensor | number;

const constantOp: ElementwiseOp = {
  kind: "elementwise",
  name: "constant",
  evaluate: (_args, node) => node.attrs.value as number,
};

/** A value known when the program is traced, repeated over `shape` (default: a scalar). */
export function constant(value: number, dtype: DType = "f32", shape: Shape = []): Tensor {
  if (dtype !== "f32" && !Number.isInteger(value))
    throw new RangeError(`constant of type ${dtype}: found ${value}, allowed integers`);
  return emit(constantOp, [], { value }, shape, dtype);
}

export const zeros = (shape: Shape, dtype: DType = "f32"): Tensor => constant(0, dtype, shape);
export const ones = (shape: Shape, dtype: DType = "f32"): Tensor => constant(1, dtype, shape);

/** Whether a value is known to be zeros. */
export const isZeros = (t: Tensor): boolean => t.op === constantOp && t.attrs.value === 0;

/** The operand as a tensor; a number gets type `dtype`. */
export function lift(operand: Operand, dtype: DType): Tensor {
  return typeof operand === "number" ? constant(operand, dtype) : operand;
}

/** Both operands as tensors of one type. A number takes the other operand's type; two numbers become f32.
 * @throws TypeError naming both types when they differ. */
export function liftPair(what: string, a: Operand, b: Operand): [Tensor, Tensor] {
  const dtype = typeof a !== "number" ? a.dtype : typeof b !== "number" ? b.dtype : "f32";
  const pair: [Tensor, Tensor] = [lift(a, dtype), lift(b, dtype)];
  if (pair[0].dtype !== pair[1].dtype) {
    throw new TypeError(
      `${what}: operands have types ${pair[0].dtype} and ${pair[1].dtype}; convert one with cast()`,
    );
  }
  return pair;
}

export function requireType(what: string, x: Tensor, ...allowed: readonly DType[]): void {
  if (!allowed.includes(x.dtype))
    throw new TypeError(`${what}: found ${x.dtype}, allowed ${allowed.join(", ")}`);
}

/** An operation on two operands of one of the types. */
export function binary(
  name: ElementwiseName,
  types: readonly DType[],
  compute: (a: number, b: number, dtype: DType) => number,
  gradient?: GradientRule,
): (a: Operand, b: Operand) => Tensor {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    ...(gradient ? { gradient } : {}),
    evaluate: ([a, b], { dtype }) => {
      const value = compute(a, b, dtype);
      return dtype === "u32" ? value >>> 0 : dtype === "i32" ? value | 0 : value;
    },
  };
  return (a, b) => {
    const [x, y] = liftPair(name, a, b);
    requireType(name, x, ...types);
    return emit(op, [x, y], {}, broadcastShapes(name, x.shape, y.shape), x.dtype);
  };
}

/** An operation on one f32. */
export function unary(
  name: ElementwiseName,
  compute: (x: number) => number,
  gradient?: GradientRule,
  cost: Pick<ElementwiseOp, "costly"> = {},
): (x: Operand) => Tensor {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    ...(gradient ? { gradient } : {}),
    ...cost,
    evaluate: ([x]) => compute(x),
  };
  return (operand) => {
    const x = lift(operand, "f32");
    requireType(name, x, "f32");
    return emit(op, [x], {}, x.shape, "f32");
  };
}
