/**
 * Advantage-weighted actor-critic (Nair et al. 2020, arXiv 2006.09359): critics learn the values of the policy, which
 * imitates the data's actions by their advantage over its own.
 */

import { z } from "zod";
import { categorical } from "../../kernels/functions.ts";
import { div, exp, meanAll, minimum, mul, sub, sum, type Tensor } from "../../kernels/index.ts";
import { defineAlgorithm } from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf } from "../../specs/checks.ts";
import { hyperparameter, learningUniforms, type NumberIn } from "../contract/inputs.ts";
import type { Network } from "../contract/network.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
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

/** Advantage-weighted actor-critic (Nair et al. 2020), from a data set. */
export const AWACSpec = z.strictObject({
  name: field(z.literal("AWAC").default("AWAC"), "Advantage-weighted actor-critic, from a data set."),
  ...offlineCriticShape,
  lambda: field(
    atLeast(1e-6).default(1),
    "Divides advantages in the policy's weights: less follows values, more imitates all actions alike.",
    { step: "log", hpo: hpoRangeOf(0.1, 10) },
  ),
  max_weight: maxWeight,
});
export type AWACSpec = z.output<typeof AWACSpec>;
export type AWACSpecInput = z.input<typeof AWACSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<AWACSpec>>;

export const AWAC_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  ...OFFLINE_FACTS,
  name: "AWAC",
  title: "Advantage-weighted actor-critic",
  schema: AWACSpec,
  rlkit_only: true,
  search: CRITIC_SEARCH,
  default_hp: ["lr_actor", "lr_critic", "batch_size"],
});

/** An observation with what a policy needs there. */
interface Place {
  readonly obs: Tensor;
  readonly mask: Tensor | undefined;
  /** Uniform vectors for one action. */
  readonly draws: (count: number) => readonly Tensor[];
}

/** The value of the policy, [batch]: the mean over its choices, or the value of one drawn action. */
function policyValue(
  actor: Network,
  critics: readonly [Network, Network],
  { obs, mask, draws }: Place,
): Tensor {
  if (actor.data.distribution?.kind !== "categorical")
    return leastAt(critics, obs, dataPolicy(actor, obs, mask).sample(draws));
  const [first, second] = critics;
  const { log_probs } = categorical(actor.forward(obs), mask);
  return sum(mul(exp(log_probs), minimum(first.forward(obs), second.forward(obs))));
}

export const AWAC = /* @__PURE__ */ defineOffPolicy({
  ...POLICY_OF_DATA,
  spec: AWAC_DEFINITION,
  networks: actorAndCritics,
  targets: CRITIC_TARGETS,
  sharesEncoder: {},
  optimizers: ACTOR_AND_CRITICS,
  metrics: ["actor_loss", "critic_loss", ...VALUE_METRICS],
  structural: ["normalize_images"],

  learn: ({ actor, critic_1, critic_2, critic_target_1, critic_target_2 }, batch) => {
    const { obs, action, next_obs, mask, next_mask, row } = batch;
    const critics = [critic_1, critic_2] as const;
    let drawn = 0;
    const draws = (count: number) => {
      drawn += count;
      return learningUniforms(row, drawn - count, count);
    };
    const targets = [critic_target_1, critic_target_2] as const;
    const next = policyValue(actor, targets, { obs: next_obs, mask: next_mask, draws });
    const learned = criticLosses(critics, batch, bootstrapped(batch, next));
    const own = policyValue(actor, critics, { obs, mask, draws });
    const advantage = sub(minimum(...learned.values), own);
    // Equation 13.
    const scaled = div(advantage, read("lambda"));
    const actor_loss = meanAll(
      weightedImitation(dataPolicy(actor, obs, mask), action, scaled, read("max_weight")),
    );
    return {
      losses: { actor_optimizer: actor_loss, ...learned.losses },
      metrics: { actor_loss, ...learned.metrics },
    };
  },
  result: resultOf(["actor_loss", "critic_loss"]),
});
