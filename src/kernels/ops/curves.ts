/** Functions of one value: exp and the like, which targets compute from polynomials (`coefficients.ts`), and ReLU. */
import type { ElementwiseName, ElementwiseOp, GradientRule } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { div, mul, neg, sub } from "./arithmetic.ts";
import { unary } from "./operand.ts";

/** Its reference is the engine's own function, in f64. */
const transcendental = (
  name: "cos" | "exp" | "log" | "sin" | "tanh",
  gradient: GradientRule,
): ((x: Tensor) => Tensor) => unary(name, Math[name], gradient, { costly: true });

export const exp = transcendental("exp", (n, g) => [mul(g, n)]);
/** Natural logarithm; -inf at 0, NaN below. Subnormal arguments count as the smallest normal number, 1.18e-38. */
export const log = transcendental("log", (n, g) => [div(g, n.inputs[0] as Tensor)]);
/** Sine of an angle in radians, |x| up to about 8,000. */
export const sin = transcendental("sin", (n, g) => [mul(g, cos(n.inputs[0] as Tensor))]);
/** Cosine of an angle in radians, |x| up to about 8,000. */
export const cos = transcendental("cos", (n, g) => [neg(mul(g, sin(n.inputs[0] as Tensor)))]);
export const tanh = transcendental("tanh", (n, g) => [mul(g, sub(1, mul(n, n)))]);

/** One operation, since a separate comparison would join the forward group and be kept. */
const gateOp: ElementwiseOp = {
  kind: "elementwise",
  name: "gate",
  gradient: (n, g) => [null, gate(n.inputs[0] as Tensor, g)],
  evaluate: ([y, g]) => (y <= 0 ? 0 : g),
};

/** `g` where `y` is above 0 or NaN, else 0. */
const gate = (y: Tensor, g: Tensor): Tensor => emit(gateOp, [y, g], {}, y.shape, "f32");

/**
 * max(x, 0); the gradient at 0 is 0. NaN in gives NaN out. The gradient is computed from the result, so that x need not be
 * kept.
 */
export const relu: (x: Tensor) => Tensor = unary(
  "relu",
  (x) => (x < 0 ? 0 : x),
  (y, g) => [gate(y, g)],
);

/**
 * Creates an operation that returns its first input and is differentiated by `gradient`, which sees all
 * inputs: a known derivative that is shorter than the chain rule's, and reuses values. All inputs must have the same shape.
 */
export function knownGradient(
  name: ElementwiseName,
  gradient: GradientRule,
): (value: Tensor, ...parts: readonly Tensor[]) => Tensor {
  const op: ElementwiseOp = { kind: "elementwise", name, gradient, evaluate: ([value]) => value };
  return (value, ...parts) => emit(op, [value, ...parts], {}, value.shape, value.dtype);
}
