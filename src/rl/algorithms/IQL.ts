/**
 * Implicit Q-learning (Kostrikov et al. 2022, arXiv 2110.06169): values of actions are learnt from the data's actions
 * alone. An expectile of them takes the place of the best one, and the policy imitates actions by their advantage.
 */

import { z } from "zod";
import { less, meanAll, mul, reshape, select, square, stopGradient, sub } from "../../kernels/index.ts";
import { defineAlgorithm } from "../../specs/algorithms.ts";
import { atLeast, field, fraction, hpoRangeOf } from "../../specs/checks.ts";
import { hyperparameter, type NumberIn } from "../contract/inputs.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { valueNetwork } from "../networks/index.ts";
import { VALUE_METRICS } from "./metrics.ts";
import {
  ACTOR_AND_CRITICS,
  actorAndCritics,
  bootstrapped,
  CRITIC_SEARCH,
  CRITIC_TARGETS,
  criticLosses,
  dataPolicy,
  leastAt,
  maxWeight,
  OFFLINE_FACTS,
  offlineCriticShape,
  POLICY_OF_DATA,
  resultOf,
  weightedImitation,
} from "./offlineLearning.ts";

/** Implicit Q-learning (Kostrikov et al. 2022), from a data set. */
export const IQLSpec = z.strictObject({
  name: field(z.literal("IQL").default("IQL"), "Implicit Q-learning from a data set."),
  ...offlineCriticShape,
  expectile: field(
    fraction().default(0.7),
    "Expectile of the values of actions: 0.5 is their mean, and towards 1 it nears the best one.",
    { step: 0.05, hpo: hpoRangeOf(0.5, 0.95) },
  ),
  beta: field(
    atLeast(0).default(3),
    "Factor on advantages in the policy's weights; 0 imitates all actions alike.",
    { step: "log", hpo: hpoRangeOf(0.5, 10) },
  ),
  max_weight: maxWeight,
});
export type IQLSpec = z.output<typeof IQLSpec>;
export type IQLSpecInput = z.input<typeof IQLSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<IQLSpec>>;

export const IQL_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  ...OFFLINE_FACTS,
  name: "IQL",
  title: "Implicit Q-learning",
  schema: IQLSpec,
  rlkit_only: true,
  search: CRITIC_SEARCH,
  default_hp: ["lr_actor", "lr_critic", "batch_size"],
});

export const IQL = /* @__PURE__ */ defineOffPolicy({
  ...POLICY_OF_DATA,
  spec: IQL_DEFINITION,
  networks: (context) => ({
    ...actorAndCritics(context),
    value: valueNetwork(context.observation_space, context.network),
  }),
  targets: CRITIC_TARGETS,
  sharesEncoder: {},
  optimizers: {
    ...ACTOR_AND_CRITICS,
    value_optimizer: { networks: ["value"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
  },
  metrics: ["actor_loss", "critic_loss", "value_loss", ...VALUE_METRICS],
  structural: ["normalize_images"],

  learn: ({ actor, critic_1, critic_2, critic_target_1, critic_target_2, value }, batch) => {
    const { obs, action, next_obs, mask } = batch;
    const valueOf = (x: typeof obs) => reshape(value.forward(x), [x.shape[0] ?? 1]);
    const known = stopGradient(leastAt([critic_target_1, critic_target_2], obs, action));
    const advantage = sub(known, valueOf(obs));
    // Equation 5: an expectile by a squared error that weighs its two sides differently.
    const expectile = read("expectile");
    const side = select(less(advantage, 0), sub(1, expectile), expectile);
    const value_loss = meanAll(mul(stopGradient(side), square(advantage)));
    // Equation 6.
    const critics = criticLosses([critic_1, critic_2], batch, bootstrapped(batch, valueOf(next_obs)));
    // Equation 7.
    const scaled = mul(read("beta"), advantage);
    const actor_loss = meanAll(
      weightedImitation(dataPolicy(actor, obs, mask), action, scaled, read("max_weight")),
    );
    return {
      losses: { actor_optimizer: actor_loss, value_optimizer: value_loss, ...critics.losses },
      metrics: { actor_loss, value_loss, ...critics.metrics },
    };
  },
  result: resultOf(["actor_loss", "critic_loss", "value_loss"]),
});
