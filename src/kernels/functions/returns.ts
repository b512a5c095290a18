/** Advantages and returns from rollouts: [horizon, lanes] tensors, time first. */
import type { Dim, Tensor } from "../index.ts";
import { add, mul, scan, sub, zeros } from "../index.ts";
import type { Operand } from "../ops/operand.ts";

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
