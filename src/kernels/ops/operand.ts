/** Operands of operations: tensors, or plain numbers that become constants. */
import type { Shape } from "../dim.ts";
import type { ElementwiseOp } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { literal } from "../wgsl/literal.ts";

export type Operand = Tensor | number;

const constantOp: ElementwiseOp = {
  kind: "elementwise",
  name: "constant",
  evaluate: (_args, node) => node.attrs.value as number,
  wasm: (code, _args, node) => {
    const value = node.attrs.value as number;
    if (node.dtype === "f32") code.body.f32x4(value);
    else if (node.dtype === "bool") code.body.i32x4(value ? -1 : 0);
    else code.body.i32x4(value);
  },
  wgsl: (_args, node) => literal(node.attrs.value as number, node.dtype),
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
