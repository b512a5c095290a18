/** Element-wise arithmetic on f32, i32 and u32. Operands broadcast as in NumPy. */
import type { ElementwiseOp, GradientRule } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { cast, greater, less, select } from "./logic.ts";
import { binary, type Operand, requireType, unary } from "./operand.ts";

const NUMBERS = ["f32", "i32", "u32"] as const;
const INTEGERS = ["i32", "u32"] as const;

const operands = (node: Tensor): [Tensor, Tensor] => node.inputs as readonly Tensor[] as [Tensor, Tensor];

export const add = binary(
  "add",
  NUMBERS,
  (a, b) => a + b,
  (_n, g) => [g, g],
);

export const sub = binary(
  "sub",
  NUMBERS,
  (a, b) => a - b,
  (_n, g) => [g, neg(g)],
);

export const mul = binary(
  "mul",
  NUMBERS,
  (a, b, dtype) => (dtype === "f32" ? a * b : Math.imul(a, b)),
  (n, g) => {
    const [a, b] = operands(n);
    return [mul(g, b), mul(g, a)];
  },
);

export const div = binary(
  "div",
  ["f32"],
  (a, b) => a / b,
  (n, g) => {
    const [, b] = operands(n);
    return [div(g, b), neg(div(mul(g, n), b))];
  },
);

/** The gradient of the operation that yields its second operand where `isSecond`. */
const chosen =
  (isSecond: (a: Tensor, b: Tensor) => Tensor): GradientRule =>
  (n, g) => {
    const second = isSecond(...operands(n));
    return [select(second, 0, g), select(second, g, 0)];
  };

/** Smaller operand; at a tie the gradient goes to the first. */
export const minimum = binary(
  "minimum",
  NUMBERS,
  (a, b) => (b < a ? b : a),
  chosen((a, b) => less(b, a)),
);

/** Larger operand; at a tie the gradient goes to the first. */
export const maximum = binary("maximum", NUMBERS, (a, b) => (a < b ? b : a), chosen(less));

export const bitAnd = binary("bitAnd", INTEGERS, (a, b) => a & b);
export const bitOr = binary("bitOr", INTEGERS, (a, b) => a | b);
export const bitXor = binary("bitXor", INTEGERS, (a, b) => a ^ b);

function shift(name: "shiftLeft" | "shiftRight", compute: (x: number, by: number, dtype: DType) => number) {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    evaluate: ([x], { attrs, dtype }) => {
      const value = compute(x, attrs.by as number, dtype);
      return dtype === "u32" ? value >>> 0 : value;
    },
  };
  return (x: Tensor, by: number): Tensor => {
    requireType(name, x, ...INTEGERS);
    if (!(Number.isInteger(by) && by >= 0 && by < 32))
      throw new RangeError(`${name}: found ${by} bits, allowed 0 to 31`);
    return emit(op, [x], { by }, x.shape, x.dtype);
  };
}

export const shiftLeft = shift("shiftLeft", (x, by) => x << by);
/** Arithmetic for i32, logical for u32. */
export const shiftRight = shift("shiftRight", (x, by, dtype) => (dtype === "u32" ? x >>> by : x >> by));

export const neg = unary(
  "neg",
  (x) => -x,
  (_n, g) => [neg(g)],
);

export const abs = unary("abs", Math.abs, (n, g) => {
  const [x] = operands(n);
  return [mul(g, sub(cast(greater(x, 0), "f32"), cast(less(x, 0), "f32")))];
});

export const sqrt = unary("sqrt", Math.sqrt, (n, g) => [div(mul(g, 0.5), n)]);

/** Largest integer not above x; its gradient is zero. */
export const floor = unary("floor", Math.floor);

export const square = (x: Tensor): Tensor => mul(x, x);

/** Values limited to [low, high]; the gradient is zero outside. */
export const clip = (x: Tensor, low: Operand, high: Operand): Tensor => minimum(maximum(x, low), high);
