/** What algorithms of Q-learning with Discrete actions have in common. */
import type { Tensor } from "../../kernels/index.ts";
import {
  add,
  argmax,
  equal,
  iota,
  max,
  mul,
  reshape,
  select,
  stopGradient,
  sub,
  sum,
} from "../../kernels/index.ts";
import type { Networks } from "../contract/networks.ts";
import type { Batch } from "../contract/offPolicy.ts";

/** Q(s, a) of the actions taken: [batch, actions], i32 [batch] -> [batch]. */
export function valueOf(q: Tensor, action: Tensor): Tensor {
  const [batch, actions] = q.shape as [Tensor["shape"][number], Tensor["shape"][number]];
  const chosen = equal(iota(actions), reshape(action, [batch, 1]));
  return sum(select(chosen, q, 0));
}

/**
 * What Q(s, a) learns toward, without gradient, [batch]: the reward and the discounted value of the best next action. The
 * target network values it (Mnih et al. 2015); with `double` the online network chooses it (van Hasselt et al. 2016).
 */
export function targetValue(
  { actor, actor_target }: Networks<"actor" | "actor_target">,
  { reward, next_obs, done, discount }: Batch,
  double: boolean,
): Tensor {
  const nextTarget = actor_target.forward(next_obs);
  const next = double ? valueOf(nextTarget, argmax(actor.forward(next_obs))) : max(nextTarget);
  return stopGradient(add(reward, mul(discount, mul(sub(1, done), next))));
}
