/**
 * Deep Q-learning (Mnih et al. 2015) with soft target updates (tau) instead of copies, and optionally double
 * Q targets (van Hasselt et al. 2016).
 */

import type { Tensor } from "../../kernels/index.ts";
import { argmax, less, meanAll, select, square, sub } from "../../kernels/index.ts";
import { legalValues, randomChoice } from "../contract/choices.ts";
import { flag } from "../contract/hyperparameters.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { qNetwork } from "../networks/index.ts";
import { targetValue, valueOf } from "./qLearning.ts";
import { VALUE_METRICS, valueMetrics } from "./valueMetrics.ts";

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
  optimizers: { optimizer: { networks: ["actor"], lr: "lr", grad_norm: "grad_norm" } },
  metrics: ["loss", ...VALUE_METRICS],
  countsActions: true,
  epsilonGreedy: true,
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
    const target = targetValue({ actor, actor_target }, batch, flag(hyperparameters, "double"));
    const taken = valueOf(actor.forward(batch.obs), batch.action);
    const loss = meanAll(square(sub(taken, target)));
    return { losses: { optimizer: loss }, metrics: { loss, ...valueMetrics([taken], target) } };
  },
  result: ({ metrics }) => metrics.loss as number,
});
