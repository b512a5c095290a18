/** Action distributions over the last axis of their parameters. */
import type { Tensor } from "../index.ts";
import {
  add,
  argmax,
  broadcastTo,
  cast,
  clip,
  column,
  type Dim,
  div,
  equal,
  exp,
  greater,
  iota,
  less,
  lessEqual,
  log,
  max,
  mul,
  neg,
  reshape,
  select,
  slice,
  square,
  stackColumns,
  sub,
  sum,
  tanh,
} from "../index.ts";
import { logSoftmax, sigmoid, softplus } from "./activations.ts";

/** A distribution over k choices: logits [n, k]. */
export interface Categorical {
  /** log p of every choice, [n, k]. */
  readonly log_probs: Tensor;
  /** The most probable choice, i32 [n]. */
  readonly mode: () => Tensor;
  /** A draw from a uniform vector [n] by inversion, i32 [n]. */
  readonly sample: (uniform: Tensor) => Tensor;
  /** log p(action), [n]. */
  readonly logProb: (action: Tensor) => Tensor;
  /** [n]. */
  readonly entropy: () => Tensor;
}

/** Sets the logits of choices that `mask` (1 = legal) forbids to -1e8. */
const legalLogits = (logits: Tensor, mask?: Tensor): Tensor =>
  mask ? select(lessEqual(mask, 0), -1e8, logits) : logits;

/** `mask` (1 = legal, [n, k]) sets the logits of illegal choices to -1e8. */
export function categorical(logits: Tensor, mask?: Tensor): Categorical {
  const legal = legalLogits(logits, mask);
  const [n, k] = legal.shape as [Dim, Dim];
  const log_probs = logSoftmax(legal);
  return {
    log_probs,
    mode: () => argmax(legal),
    sample: (uniform) => {
      // P(choice <= j), by summing the first j + 1 probabilities.
      const upTo = lessEqual(reshape(iota(k), [1, 1, k]), reshape(iota(k), [1, k, 1]));
      const cumulative = sum(select(upTo, reshape(exp(log_probs), [n, 1, k]), 0));
      // Scaled by the total, which rounding leaves near 1: a draw near 1 must not pass the last legal choice.
      const draw = mul(reshape(uniform, [n, 1]), max(cumulative, -1, true));
      return cast(sum(cast(lessEqual(cumulative, draw), "f32")), "i32");
    },
    logProb: (action) => sum(select(equal(iota(k), reshape(action, [n, 1])), log_probs, 0)),
    entropy: () => neg(sum(mul(exp(log_probs), log_probs))),
  };
}

/** A distribution over m integers, each drawn independently: [n, m]. */
export interface Integers {
  /** The most probable numbers, i32 [n, m]. */
  readonly mode: () => Tensor;
  /** A draw from m uniform vectors [n], i32 [n, m]. */
  readonly sample: (uniforms: readonly Tensor[]) => Tensor;
  /** log p(action), summed over the m numbers, [n]. */
  readonly logProb: (action: Tensor) => Tensor;
  /** [n]. */
  readonly entropy: () => Tensor;
}

const total = (parts: readonly Tensor[]): Tensor => parts.reduce((sum, part) => add(sum, part));

/** Independent choices, the i-th with `nvec[i]` options. Logits and mask, concatenated: [n, sum of nvec]. */
export function multiCategorical(logits: Tensor, nvec: readonly number[], mask?: Tensor): Integers {
  let start = 0;
  const choices = nvec.map((k) => {
    const own = categorical(slice(logits, start, k), mask && slice(mask, start, k));
    start += k;
    return own;
  });
  return {
    mode: () => stackColumns(choices.map((choice) => choice.mode())),
    sample: (uniforms) => stackColumns(choices.map((choice, i) => choice.sample(uniforms[i] as Tensor))),
    logProb: (action) => total(choices.map((choice, i) => choice.logProb(column(action, i)))),
    entropy: () => total(choices.map((choice) => choice.entropy())),
  };
}

/** Independent bits: logits of 1 [n, m]; bits whose `mask` [n, m] is 0 are never 1. */
export function bernoulli(logits: Tensor, mask?: Tensor): Integers {
  const legal = legalLogits(logits, mask);
  const chance = sigmoid(legal);
  return {
    mode: () => cast(greater(legal, 0), "i32"),
    sample: (uniforms) => cast(less(stackColumns(uniforms), chance), "i32"),
    // log sigmoid(x) = x - softplus(x), log(1 - sigmoid(x)) = -softplus(x).
    logProb: (action) => sum(sub(mul(cast(action, "f32"), legal), softplus(legal))),
    entropy: () => sum(sub(softplus(legal), mul(chance, legal))),
  };
}

/** A distribution over vectors of numbers: [n, k]. */
export interface Continuous {
  readonly mode: () => Tensor;
  /** A draw from standard normal noise [n, k]. */
  readonly sample: (noise: Tensor) => Tensor;
  /** log p(action), summed over the k numbers, [n]. */
  readonly logProb: (action: Tensor) => Tensor;
}

const HALF_LOG_TWO_PI = 0.9189385332046727;

/** Independent Gaussians: mean [n, k], log_std [k] or [n, k]. */
export function normal(mean: Tensor, log_std: Tensor): Continuous & { readonly entropy: () => Tensor } {
  const std = exp(log_std);
  return {
    mode: () => mean,
    sample: (noise) => add(mean, mul(std, noise)),
    logProb: (action) => {
      const z = div(sub(action, mean), std);
      return sum(sub(sub(mul(square(z), -0.5), log_std), HALF_LOG_TWO_PI));
    },
    // 1/2 + log(2 pi)/2 + log std, for each number.
    entropy: () => sum(broadcastTo(add(log_std, 0.5 + HALF_LOG_TWO_PI), mean.shape)),
  };
}

/** Largest |tanh| that is inverted: the last 32-bit float below 1. */
const INSIDE = 1 - 2 ** -24;

/** tanh of a Gaussian, [n, k]. */
export interface SquashedNormal extends Continuous {
  /**
   * A draw from standard normal noise [n, k] and its log p [n]. log p is computed from the noise, not the
   * action, so that no precision is lost where tanh is flat. Gradients flow through the draw to the mean and
   * standard deviation.
   */
  readonly draw: (noise: Tensor) => { readonly action: Tensor; readonly log_prob: Tensor };
}

/**
 * tanh of a Gaussian, with the Jacobian in its density (Haarnoja et al. 2018, appendix C):
 * log(1 - tanh(u)^2) = 2 (log 2 - u - softplus(-2u)). Its entropy has no closed form.
 */
export function squashedNormal(mean: Tensor, log_std: Tensor): SquashedNormal {
  const inner = normal(mean, log_std);
  const logJacobian = (u: Tensor) => mul(sub(sub(Math.LN2, u), softplus(mul(u, -2))), 2);
  return {
    mode: () => tanh(mean),
    sample: (noise) => tanh(inner.sample(noise)),
    logProb: (action) => {
      const a = clip(action, -INSIDE, INSIDE);
      const u = mul(log(div(add(1, a), sub(1, a))), 0.5);
      const jacobian = logJacobian(u);
      return sub(inner.logProb(u), sum(jacobian));
    },
    draw: (noise) => {
      const u = inner.sample(noise);
      const density = sum(sub(sub(mul(square(noise), -0.5), log_std), HALF_LOG_TWO_PI));
      return { action: tanh(u), log_prob: sub(density, sum(logJacobian(u))) };
    },
  };
}
