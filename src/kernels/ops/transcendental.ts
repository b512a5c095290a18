/** exp, log, sin, cos and tanh: targets compute them alike, from polynomials (`coefficients.ts`). */
import type { GradientRule } from "../op.ts";
import type { Tensor } from "../tensor.ts";
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
