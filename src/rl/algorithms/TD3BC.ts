/**
 * TD3 with behaviour cloning (Fujimoto and Gu 2021, arXiv 2106.06860): the policy of TD3 also imitates the data's
 * actions. Values are divided by their mean size, so that one weight suits all scales of rewards.
 */

import { z } from "zod";
import { abs, add, div, maximum, meanAll, mul, neg, square, stopGradient, sub } from "../../kernels/index.ts";
import { defineAlgorithm, policyFreq } from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf } from "../../specs/checks.ts";
import { hyperparameter, type NumberIn } from "../contract/inputs.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { withTanh } from "../networks/index.ts";
import { valueOf } from "./continuousControl.ts";
import { deterministicPolicy } from "./deterministicPolicy.ts";
import { CRITIC_SEARCH, OFFLINE_FACTS, offlineCriticShape } from "./offlineLearning.ts";
import { twinDelayed } from "./TD3.ts";

/** TD3 with behaviour cloning (Fujimoto and Gu 2021), from a data set. */
export const TD3BCSpec = z.strictObject({
  name: field(z.literal("TD3BC").default("TD3BC"), "TD3 with behaviour cloning, from a data set."),
  ...offlineCriticShape,
  policy_freq: policyFreq,
  alpha: field(
    atLeast(0).default(2.5),
    "Weight of values against imitation in the policy's loss; 0 only imitates.",
    { step: "log", hpo: hpoRangeOf(0.1, 10) },
  ),
});
export type TD3BCSpec = z.output<typeof TD3BCSpec>;
export type TD3BCSpecInput = z.input<typeof TD3BCSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<TD3BCSpec>>;

export const TD3BC_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  ...OFFLINE_FACTS,
  name: "TD3BC",
  title: "TD3 with behaviour cloning",
  schema: TD3BCSpec,
  other_names: ["TD3+BC"],
  rlkit_only: true,
  search: CRITIC_SEARCH,
  default_hp: ["lr_actor", "lr_critic", "batch_size"],
});

/** Smallest mean size of values that divides them. */
const LEAST = 1e-6;

export const TD3BC = /* @__PURE__ */ defineOffPolicy({
  ...twinDelayed,
  spec: TD3BC_DEFINITION,
  networks: (context) => twinDelayed.networks({ ...context, network: withTanh(context.network) }),
  structural: ["normalize_images"],
  act: deterministicPolicy.greedy,
  ended: () => undefined,
  delayed: {
    every: "policy_freq",
    optimizers: ["actor_optimizer"],
    metrics: ["actor_loss"],
    learn: ({ actor, critic_1 }, { obs, action }) => {
      const own = actor.forward(obs);
      const value = valueOf(critic_1, actor, obs, own);
      // Equation 5: lambda = alpha / mean |Q|.
      const weight = div(read("alpha"), maximum(stopGradient(meanAll(abs(value))), LEAST));
      const imitation = meanAll(square(sub(own, action)));
      const actor_loss = add(neg(mul(weight, meanAll(value))), imitation);
      return { losses: { actor_optimizer: actor_loss }, metrics: { actor_loss } };
    },
  },
});
