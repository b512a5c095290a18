/**
 * Conservative Q-learning from a data set (Kumar et al. 2020, arXiv 2006.04779), for Discrete actions:
 * Q-learning whose loss also pushes down the values of actions that are not in the data.
 */

import { z } from "zod";
import {
  add,
  argmax,
  div,
  lessEqual,
  mean,
  meanAll,
  mul,
  select,
  square,
  sub,
  sum,
  type Tensor,
} from "../../kernels/index.ts";
import { defineAlgorithm, Q_LEARNING_SEARCH } from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf } from "../../specs/checks.ts";
import { legalValues } from "../contract/choices.ts";
import { flag, hyperparameter, type NumberIn } from "../contract/inputs.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { qNetwork } from "../networks/index.ts";
import { VALUE_METRICS, valueMetrics } from "./metrics.ts";
import { offlineShape } from "./offlineLearning.ts";
import { logSumExp, qLearningShape, targetValue, valueOf } from "./qLearning.ts";

/** Conservative Q-learning (Kumar et al. 2020), from a dataset. */
export const CQNSpec = z.strictObject({
  name: field(z.literal("CQN").default("CQN"), "Conservative Q-learning from a dataset."),
  ...offlineShape,
  ...qLearningShape,
  double: field(
    z.boolean().default(false),
    "Chooses the next action with the online network and values it with the target network.",
    { mutable: true },
  ),
  alpha: field(
    atLeast(0).default(1),
    "Weight of the conservative term; 0 gives plain Q-learning on the data.",
    {
      step: "log",
      hpo: hpoRangeOf(0.1, 10),
      rlkit_only: true,
    },
  ),
  conservative: field(
    z.enum(["dataset", "all_actions"]).default("dataset"),
    "What the conservative term subtracts: the value of the data's action, or the mean over all legal actions.",
    { rlkit_only: true, mutable: true },
  ),
});
export type CQNSpec = z.output<typeof CQNSpec>;
export type CQNSpecInput = z.input<typeof CQNSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<CQNSpec>>;

export const CQN_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "CQN",
  title: "Conservative Q-learning",
  schema: CQNSpec,
  offline: true,
  search: { lr: Q_LEARNING_SEARCH.lr, batch_size: Q_LEARNING_SEARCH.batch_size },
  value_based: true,
  env_types: ["offline"],
  evo_steps: 5_000,
  default_hp: ["lr", "batch_size"],
});

/** Mean of every row over its legal actions: [batch, actions] -> [batch]. */
const legalMean = (q: Tensor, mask?: Tensor): Tensor =>
  mask ? div(sum(select(lessEqual(mask, 0), 0, q)), sum(mask)) : mean(q);

export const CQN = /* @__PURE__ */ defineOffPolicy({
  spec: CQN_DEFINITION,
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
    // Equation 4 of the paper, CQL(H): the mean over states of log sum exp Q(s, .) - Q(s, a), over legal actions. The
    // variant "all_actions" subtracts their mean instead of the value of the data's action.
    const spared = hyperparameters.conservative === "all_actions" ? legalMean(q, batch.mask) : taken;
    const conservative = meanAll(sub(logSumExp(legalValues(q, batch.mask)), spared));
    const loss = add(mul(0.5, meanAll(square(sub(taken, target)))), mul(read("alpha"), conservative));
    return {
      losses: { optimizer: loss },
      metrics: { loss, conservative_loss: conservative, ...valueMetrics([taken], target) },
    };
  },
  result: ({ metrics }) => metrics.loss as number,
});
