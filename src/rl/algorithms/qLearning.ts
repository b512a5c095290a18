/** Code shared by Q-learning algorithms with Discrete actions. */
import {
  add,
  argmax,
  equal,
  exp,
  iota,
  log,
  max,
  mul,
  reshape,
  select,
  stopGradient,
  sub,
  sum,
  type Tensor,
} from "../../kernels/index.ts";
import { learningRate, targetRate } from "../../specs/algorithms.ts";
import { legalValues } from "../contract/choices.ts";
import type { Networks } from "../contract/network.ts";
import type { Batch } from "../contract/offPolicy.ts";

/** Fields of Q-learning with a target network. */
export const qLearningShape = {
  lr: learningRate(1e-4, "Learning rate of Adam."),
  tau: targetRate(0.001),
};

/** Q(s, a) of the actions taken: [batch, actions], i32 [batch] -> [batch]. */
export function valueOf(q: Tensor, action: Tensor): Tensor {
  const [batch, actions] = q.shape as [Tensor["shape"][number], Tensor["shape"][number]];
  const chosen = equal(iota(actions), reshape(action, [batch, 1]));
  return sum(select(chosen, q, 0));
}

/** log sum exp of every row: [batch, actions] -> [batch]. */
export function logSumExp(q: Tensor): Tensor {
  const [batch] = q.shape as [Tensor["shape"][number]];
  const most = stopGradient(max(q));
  return add(most, log(sum(exp(sub(q, reshape(most, [batch, 1]))))));
}

/**
 * The target of Q(s, a), without gradient, [batch]: the reward plus the discounted value of the best legal next
 * action. The target network evaluates this action (Mnih et al. 2015); with `double`, the online network
 * chooses it (van Hasselt et al. 2016).
 */
export function targetValue(
  { actor, actor_target }: Networks<"actor" | "actor_target">,
  { reward, next_obs, next_mask, done, discount }: Batch,
  double: boolean,
): Tensor {
  const nextTarget = actor_target.forward(next_obs);
  const next = double
    ? valueOf(nextTarget, argmax(legalValues(actor.forward(next_obs), next_mask)))
    : max(legalValues(nextTarget, next_mask));
  return stopGradient(add(reward, mul(discount, mul(sub(1, done), next))));
}
