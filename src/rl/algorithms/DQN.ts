/**
 * Deep Q-learning (Mnih et al. 2015) with soft target updates (tau) instead of copies, and optionally double
 * Q targets (van Hasselt et al. 2016).
 */

import { z } from "zod";
import { argmax, less, meanAll, select, square, sub, type Tensor } from "../../kernels/index.ts";
import { defineAlgorithm, Q_LEARNING_SEARCH } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { legalValues, randomChoice } from "../contract/choices.ts";
import { flag } from "../contract/inputs.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { qNetwork } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { VALUE_METRICS, valueMetrics } from "./metrics.ts";
import { qLearningShape, targetValue, valueOf } from "./qLearning.ts";

/** Deep Q-learning (Mnih et al. 2015), optionally with double Q targets (van Hasselt et al. 2016). */
export const DQNSpec = z.strictObject({
  name: field(z.literal("DQN").default("DQN"), "Deep Q-learning."),
  ...SingleAgentAlgorithmSpec.shape,
  ...qLearningShape,
  double: field(
    z.boolean().default(false),
    "Chooses the next action with the online network and values it with the target network.",
    { mutable: true },
  ),
  cudagraphs: field(z.boolean().default(false), "CUDA graphs of AgileRL.", {
    advanced: true,
    effect: false,
  }),
});
export type DQNSpec = z.output<typeof DQNSpec>;
export type DQNSpecInput = z.input<typeof DQNSpec>;

export const DQN_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "DQN",
  title: "Deep Q-learning",
  schema: DQNSpec,
  off_policy: true,
  search: Q_LEARNING_SEARCH,
  value_based: true,
  epsilon_greedy: true,
});

export const DQN = /* @__PURE__ */ defineOffPolicy({
  spec: DQN_DEFINITION,
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
