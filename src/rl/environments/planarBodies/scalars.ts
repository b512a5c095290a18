/**
 * Arithmetic on numbers and tensors alike. Numbers fold: what is known when a program is traced costs nothing in
 * it, and the same formulas give a body's constants in f64.
 */
import {
  add,
  cos,
  div,
  mul,
  neg,
  type Operand,
  select,
  sin,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";

/** A number known when the program is traced, or one per lane. */
export type Scalar = Operand;

const known = (x: Scalar): x is number => typeof x === "number";

export function plus(a: Scalar, b: Scalar): Scalar {
  if (known(a) && known(b)) return a + b;
  if (a === 0) return b;
  return b === 0 ? a : add(a, b);
}

export function minus(a: Scalar, b: Scalar): Scalar {
  if (known(a) && known(b)) return a - b;
  if (b === 0) return a;
  return a === 0 ? negative(b) : sub(a, b);
}

export function times(a: Scalar, b: Scalar): Scalar {
  if (known(a) && known(b)) return a * b;
  if (a === 0 || b === 0) return 0;
  if (a === 1) return b;
  if (b === 1) return a;
  if (a === -1) return negative(b);
  return b === -1 ? negative(a) : mul(a, b);
}

export const negative = (x: Scalar): Scalar => (known(x) ? -x : neg(x));

export const over = (a: Scalar, b: Scalar): Scalar =>
  known(a) && known(b) ? a / b : a === 0 ? 0 : div(a, b);

export const total = (...terms: readonly Scalar[]): Scalar => terms.reduce(plus, 0);

/** `value` where the condition holds, elsewhere 0. */
export const where = (condition: Tensor, value: Scalar): Scalar =>
  value === 0 ? 0 : select(condition, value, 0);

/** Only angle 0 is known when a program is traced: that of the pose at rest. */
export const sine = (angle: Scalar): Scalar => (angle === 0 ? 0 : sin(angle as Tensor));
export const cosine = (angle: Scalar): Scalar => (angle === 0 ? 1 : cos(angle as Tensor));
