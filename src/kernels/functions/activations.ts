/** Activation functions under PyTorch's names and with its defaults. NaN in gives NaN out. */
import { abs, add, div, minimum, mul, neg, sub } from "../ops/arithmetic.ts";
import { exp, knownGradient, log, relu, tanh } from "../ops/curves.ts";
import { stopGradient } from "../ops/layout.ts";
import { greater, less, select } from "../ops/logic.ts";
import { max, sum } from "../ops/reduction.ts";
import type { Tensor } from "../tensor.ts";

/** x for x > 0, else slope * x. */
export const leakyRelu = (x: Tensor, slope: Tensor | number = 0.01): Tensor =>
  select(greater(x, 0), x, mul(x, slope));

const eluOf = knownGradient("elu", (y, g) => [null, mul(g, add(minimum(y, 0), 1))]);

/** x for x > 0, else exp(x) - 1 (Clevert et al. 2016, alpha 1). */
export const elu = (x: Tensor): Tensor => eluOf(select(greater(x, 0), x, sub(exp(minimum(x, 0)), 1)), x);

/** 1 / (1 + exp(-x)), computed with tanh: exp(-x) would overflow in the gradient of very negative x. */
export const sigmoid = (x: Tensor): Tensor => mul(add(tanh(mul(x, 0.5)), 1), 0.5);

/** log(1 + exp(x)), without overflow. */
export const softplus = (x: Tensor): Tensor => {
  const size = abs(x);
  return add(mul(add(x, size), 0.5), log(add(exp(neg(size)), 1)));
};

/** Coefficients of t^5 .. t in Abramowitz and Stegun 7.1.26; the error of erf is below 1.5e-7. */
const ERFC = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592] as const;

/** Complementary error function of z >= 0, and the exp(-z^2) in it. */
function erfcPositive(z: Tensor): { erfc: Tensor; bell: Tensor } {
  const t = div(1, add(mul(z, 0.3275911), 1));
  let series = mul(t, ERFC[0]);
  for (const coefficient of ERFC.slice(1)) series = mul(add(series, coefficient), t);
  const bell = exp(neg(mul(z, z)));
  return { erfc: mul(series, bell), bell };
}

/** Error function, to 1e-6. */
export function erf(x: Tensor): Tensor {
  const tail = sub(1, erfcPositive(abs(x)).erfc);
  return select(less(x, 0), neg(tail), tail);
}

/** Inputs: the value, x, the normal distribution function of x, exp(-x^2 / 2). */
const geluOf = knownGradient("gelu", (y, g) => {
  const [, x, below, bell] = y.inputs as [Tensor, Tensor, Tensor, Tensor];
  return [null, mul(g, add(below, mul(mul(x, bell), 1 / Math.sqrt(2 * Math.PI)))), null, null];
});

/** x times the normal distribution function of x (Hendrycks and Gimpel 2016, exact form). */
export function gelu(x: Tensor): Tensor {
  const { erfc, bell } = erfcPositive(mul(abs(x), Math.SQRT1_2));
  const tail = mul(erfc, 0.5);
  const below = select(less(x, 0), tail, sub(1, tail));
  return geluOf(mul(x, below), x, below, bell);
}

/** exp(x) over its sum along the last axis. */
export function softmax(x: Tensor): Tensor {
  const powers = exp(sub(x, stopGradient(max(x, -1, true))));
  return div(powers, sum(powers, -1, true));
}

/** Logarithm of softmax along the last axis; exact where the softmax itself is 0 in f32. */
export function logSoftmax(x: Tensor): Tensor {
  const centred = sub(x, stopGradient(max(x, -1, true)));
  return sub(centred, log(sum(exp(centred), -1, true)));
}

/**
 * Softmax of (x + noise) / temperature with `noise` drawn from Gumbel(0, 1) in x's shape (Jang et al. 2017);
 * without noise the distribution's own probabilities.
 */
export const gumbelSoftmax = (x: Tensor, noise?: Tensor, temperature = 1): Tensor =>
  softmax(div(noise ? add(x, noise) : x, temperature));

/** Names of the activations, as in PyTorch. */
export type ActivationName =
  | "Tanh"
  | "GELU"
  | "ReLU"
  | "ELU"
  | "LeakyReLU"
  | "Sigmoid"
  | "Softplus"
  | "Softmax"
  | "GumbelSoftmax"
  | "PReLU"
  | "Identity";

/** Additional inputs of some activations. */
export interface ActivationInputs {
  /** Slope of PReLU below zero, a parameter [1]. */
  readonly slope?: Tensor;
  /** Gumbel(0, 1) noise in the input's shape, for GumbelSoftmax. */
  readonly noise?: Tensor;
}

/** Applies the activation called `name`.
 * @throws TypeError when the slope of PReLU is missing. */
export function activate(name: ActivationName, x: Tensor, { slope, noise }: ActivationInputs = {}): Tensor {
  switch (name) {
    case "ReLU":
      return relu(x);
    case "Tanh":
      return tanh(x);
    case "ELU":
      return elu(x);
    case "GELU":
      return gelu(x);
    case "Sigmoid":
      return sigmoid(x);
    case "Softplus":
      return softplus(x);
    case "LeakyReLU":
      return leakyRelu(x);
    case "Softmax":
      return softmax(x);
    case "GumbelSoftmax":
      return gumbelSoftmax(x, noise);
    case "PReLU":
      if (!slope) throw new TypeError("PReLU: its slope is missing; pass the parameter as { slope }");
      return leakyRelu(x, slope);
    case "Identity":
      return x;
  }
}
