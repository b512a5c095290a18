/**
 * Conservative Q-learning from a data set (Kumar et al. 2020, arXiv 2006.04779), for Discrete actions:
 * Q-learning whose loss also pushes down the values of actions that are not in the data.
 */

import type { Tensor } from "../../kernels/index.ts";
import {
  add,
  argmax,
  exp,
  log,
  max,
  mean,
  meanAll,
  mul,
  reshape,
  square,
  stopGradient,
  sub,
  sum,
} from "../../kernels/index.ts";
import { legalValues } from "../contract/choices.ts";
import { flag } from "../contract/hyperparameters.ts";
import { hyperparameter } from "../contract/inputs.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { qNetwork } from "../networks/index.ts";
import { targetValue, valueOf } from "./qLearning.ts";
import { VALUE_METRICS, valueMetrics } from "./valueMetrics.ts";

/** log sum exp of every row: [batch, actions] -> [batch]. */
function logSumExp(q: Tensor): Tensor {
  const [batch] = q.shape as [Tensor["shape"][number]];
  const most = stopGradient(max(q));
  return add(most, log(sum(exp(sub(q, reshape(most, [batch, 1]))))));
}

export const CQN = defineOffPolicy({
  name: "CQN",
  actions: ["Discrete"],
  networks: ({ observation_space, action_space, network }) => {
    const actor = qNetwork(observation_space, action_space.n, network);
    return { actor, actor_target: actor };
  },
  targets: { actor_target: "actor" },
  sharesEncoder: {},
  policy: "actor",
  optimizers: { optimizer: { networks: ["actor"], lr: "lr", max_grad_norm: 1, grad_norm: "grad_norm" } },
  metrics: ["loss", "conservative_loss", ...VALUE_METRICS],
  activationMutation: true,
  structural: ["double", "conservative", "normalize_images"],
  counts: ["learn_step"],
  policyOutputs: ({ actor }, latent) => ({ q_values: actor.head(latent) }),

  // Learning uses only the data set, so there is no exploration.
  act: ({ actor }, obs, { mask }) => argmax(legalValues(actor.forward(obs), mask)),
  greedy: ({ actor }, obs, mask) => argmax(legalValues(actor.forward(obs), mask)),

  learn: ({ actor, actor_target }, batch, hyperparameters) => {
    const target = targetValue({ actor, actor_target }, batch, flag(hyperparameters, "double"));
    const q = actor.forward(batch.obs);
    const taken = valueOf(q, batch.action);
    // Equation 4 of the paper, CQL(H): the mean over states of log sum exp Q(s, .) - Q(s, a). The variant
    // "all_actions" subtracts the mean over all actions instead of the value of the data's action.
    const spared = hyperparameters.conservative === "all_actions" ? mean(q) : taken;
    const conservative = meanAll(sub(logSumExp(q), spared));
    const loss = add(
      mul(0.5, meanAll(square(sub(taken, target)))),
      mul(hyperparameter("alpha"), conservative),
    );
    return {
      losses: { optimizer: loss },
      metrics: { loss, conservative_loss: conservative, ...valueMetrics([taken], target) },
    };
  },
  result: ({ metrics }) => metrics.loss as number,
});
