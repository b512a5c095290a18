/** Advantages and returns from roll-outs: [horizon, lanes] tensors, time first. */
import type { Dim, Tensor } from "../index.ts";
import { add, broadcastTo, dimValue, greater, mul, ones, scan, select, sub, zeros } from "../index.ts";
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

export interface NStepInputs {
  /** Rewards of n steps in a row, [n, N]. */
  readonly rewards: Tensor;
  /** 1 where the task ended in the step, [n, N]. */
  readonly terminated: Tensor;
  /** 1 where the episode ended in the step for any reason, [n, N]. */
  readonly done: Tensor;
  readonly gamma: Operand;
}

export interface NStepReturns {
  /** Discounted rewards up to the end of the episode or of the n steps, [N]. */
  readonly returns: Tensor;
  /** What the value after the last step counted is worth: gamma^steps, 0 where the task ended, [N]. */
  readonly bootstrap: Tensor;
  /** The last step counted, i32 [N]: its successor observation is the one to value. */
  readonly last_step: Tensor;
}

/**
 * n-step returns from the first of n steps (Sutton and Barto 2018, section 7.1), each lane by itself:
 * sum over k of gamma^k r_k, ending with the step in which the lane's episode ends.
 */
export function nStepReturns({ rewards, terminated, done, gamma }: NStepInputs): NStepReturns {
  const [n, ...lanes] = rewards.shape as [Dim, ...Dim[]];
  const last = broadcastTo(sub(dimValue(n, "i32"), 1), lanes);
  const { carry } = scan(
    {
      count: n,
      carry: [zeros(lanes), ones(lanes), last],
      xs: [rewards, terminated, done],
      reverse: true,
    },
    ([later, factor, step], [reward, end, stop], t) => {
      const ends = greater(stop as Tensor, 0);
      const rest = select(ends, 0, mul(later as Tensor, gamma));
      const worth = select(ends, sub(1, end as Tensor), factor as Tensor);
      return {
        carry: [add(reward as Tensor, rest), mul(worth, gamma), select(ends, t, step as Tensor)],
      };
    },
  );
  const [returns, bootstrap, last_step] = carry as readonly [Tensor, Tensor, Tensor];
  return { returns, bootstrap, last_step };
}
