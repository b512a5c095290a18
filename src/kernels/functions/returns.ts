/** Returns: advantages of rollouts, and distributions over fixed returns, as in C51 (Bellemare et al. 2017). */

import { type Dim, sameShape, shapeKey } from "../dim.ts";
import { abs, add, clip, div, maximum, mul, sub } from "../ops/arithmetic.ts";
import { dimValue, iota } from "../ops/indexing.ts";
import { reshape } from "../ops/layout.ts";
import { cast } from "../ops/logic.ts";
import { type Operand, zeros } from "../ops/operand.ts";
import { sum } from "../ops/reduction.ts";
import { scan } from "../scan.ts";
import type { Tensor } from "../tensor.ts";

/** Of a rollout: [horizon, lanes], time first. */
export interface AdvantageInputs {
  /** r_t, [T, N]. */
  readonly rewards: Tensor;
  /** V(s_t), [T, N]. */
  readonly values: Tensor;
  /** V of the true successor of s_t, before any reset, [T, N]: a time limit still bootstraps. */
  readonly next_values: Tensor;
  /** 1 where the task ended in step t, [T, N]. */
  readonly terminated: Tensor;
  /** 1 where the episode ended in step t for any reason, [T, N]. */
  readonly done: Tensor;
  readonly gamma: Operand;
  readonly lambda: Operand;
}

/**
 * Generalised advantage estimation (Schulman et al. 2016, eq. 16):
 * delta_t = r_t + gamma (1 - terminated_t) V(s'_t) - V(s_t);
 * A_t = delta_t + gamma lambda (1 - done_t) A_{t+1}; returns = A + V.
 */
export function generalisedAdvantages(inputs: AdvantageInputs): { advantages: Tensor; returns: Tensor } {
  const { rewards, values, next_values, terminated, done, gamma, lambda } = inputs;
  const bootstrap = mul(mul(sub(1, terminated), next_values), gamma);
  const delta = sub(add(rewards, bootstrap), values);
  const decay = mul(mul(sub(1, done), lambda), gamma);
  const { ys } = scan(
    {
      count: rewards.shape[0] as Dim,
      carry: [zeros(rewards.shape.slice(1))],
      xs: [delta, decay],
      reverse: true,
    },
    ([next], [d, k]) => {
      const advantage = add(d as Tensor, mul(k as Tensor, next as Tensor));
      return { carry: [advantage], ys: [advantage] };
    },
  );
  const advantages = ys[0] as Tensor;
  return { advantages, returns: add(advantages, values) };
}

/** The returns of `atoms` evenly spaced atoms from v_min to v_max: [atoms]; needs at least two. */
export function atomReturns(atoms: Dim, v_min: Operand, v_max: Operand): Tensor {
  return add(mul(cast(iota(atoms), "f32"), spacing(atoms, v_min, v_max)), v_min);
}

const spacing = (atoms: Dim, v_min: Operand, v_max: Operand): Tensor =>
  div(sub(v_max, v_min), sub(dimValue(atoms), 1));

/**
 * Projects probabilities [n, atoms] of returns [n, atoms] onto atoms from v_min to v_max. Each return is
 * clipped to that range and splits its probability between the two nearest atoms in proportion to nearness
 * (algorithm 1). Written as a sum over all returns, without a scatter, so that its order is fixed.
 * @throws RangeError when the shapes differ.
 */
export function projectCategorical(
  probabilities: Tensor,
  returns: Tensor,
  v_min: Operand,
  v_max: Operand,
): Tensor {
  const [n, atoms] = probabilities.shape as [Dim, Dim];
  if (probabilities.rank !== 2 || !sameShape(probabilities.shape, returns.shape)) {
    throw new RangeError(
      `projectCategorical: found probabilities ${shapeKey(probabilities.shape)} and returns ${shapeKey(returns.shape)}, allowed two tensors of the same shape [n, atoms]`,
    );
  }
  const position = clip(div(sub(returns, v_min), spacing(atoms, v_min, v_max)), 0, sub(dimValue(atoms), 1));
  const each = [n, atoms, 1];
  const nearness = maximum(sub(1, abs(sub(reshape(position, each), cast(iota(atoms), "f32")))), 0);
  return sum(mul(nearness, reshape(probabilities, each)), 1);
}
