/**
 * Deep Q-learning (Mnih et al. 2015) with the target averaged by tau instead of copied, and optionally
 * double Q targets (van Hasselt et al. 2016).
 */

import type { Tensor } from "../../kernels/index.ts";
import {
  add,
  argmax,
  equal,
  iota,
  less,
  max,
  meanAll,
  mul,
  reshape,
  select,
  square,
  stopGradient,
  sub,
  sum,
} from "../../kernels/index.ts";
import { legalValues, randomChoice } from "../contract/choices.ts";
import { flag } from "../contract/hyperparameters.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { qNetwork } from "../networks/index.ts";

/** Q(s, a) of the actions taken: [batch, actions], i32 [batch] -> [batch]. */
function valueOf(q: Tensor, action: Tensor): Tensor {
  const [batch, actions] = q.shape as [Tensor["shape"][number], Tensor["shape"][number]];
  const chosen = equal(iota(actions), reshape(action, [batch, 1]));
  return sum(select(chosen, q, 0));
}

export const DQN = defineOffPolicy({
  name: "DQN",
  actions: ["Discrete"],
  networks: ({ observation_space, action_space, network }) => {
    const actor = qNetwork(observation_space, action_space.n, network);
    return { actor, actor_target: actor };
  },
  targets: { actor_target: "actor" },
  sharesEncoder: {},
  policy: "actor",
  optimizers: { optimizer: { networks: ["actor"], lr: "lr" } },
  metrics: ["loss"],
  countsActions: true,
  activationMutation: true,
  structural: ["double", "normalize_images"],
  counts: ["learn_step"],
  policyOutputs: ({ actor }, latent) => ({ q_values: actor.head(latent) }),

  act: ({ actor }, obs, { epsilon, draws, mask }) => {
    const [chance, choice] = draws(2) as readonly [Tensor, Tensor];
    const q = actor.forward(obs);
    const random = randomChoice(choice, q.shape[1] as number, mask);
    return select(less(chance, epsilon), random, argmax(legalValues(q, mask)));
  },
  greedy: ({ actor }, obs, mask) => argmax(legalValues(actor.forward(obs), mask)),

  learn: ({ actor, actor_target }, batch, hyperparameters) => {
    const { obs, action, reward, next_obs, done, discount } = batch;
    const nextTarget = actor_target.forward(next_obs);
    const next = flag(hyperparameters, "double")
      ? valueOf(nextTarget, argmax(actor.forward(next_obs)))
      : max(nextTarget);
    const target = add(reward, mul(discount, mul(sub(1, done), next)));
    const loss = meanAll(square(sub(valueOf(actor.forward(obs), action), stopGradient(target))));
    return { losses: { optimizer: loss }, metrics: { loss } };
  },
  result: ({ metrics }) => metrics.loss as number,
});
