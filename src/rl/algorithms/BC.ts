/**
 * Behaviour cloning: supervised learning of the data's actions (Pomerleau 1991). Rewards are not read.
 */

import { z } from "zod";
import { meanAll, neg, square, sub } from "../../kernels/index.ts";
import { defineAlgorithm, learningRate, Q_LEARNING_SEARCH } from "../../specs/algorithms.ts";
import { field, fraction } from "../../specs/checks.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import {
  dataPolicy,
  LARGE_BATCH,
  OFFLINE_FACTS,
  offlineShape,
  POLICY_OF_DATA,
  policyNetwork,
} from "./offlineLearning.ts";

/** Behaviour cloning, from a data set. */
export const BCSpec = z.strictObject({
  name: field(z.literal("BC").default("BC"), "Behaviour cloning from a data set."),
  ...offlineShape,
  ...LARGE_BATCH,
  gamma: field(fraction().default(0.99), "Discount of future rewards; only fitness fqe reads it.", {
    advanced: true,
  }),
  lr: learningRate(3e-4, "Learning rate of Adam."),
  loss: field(
    z.enum(["mse", "nll"]).default("mse"),
    "For numbers: the squared error of the mean action, or the negative log-likelihood of a Gaussian. Choices always use the latter.",
  ),
});
export type BCSpec = z.output<typeof BCSpec>;
export type BCSpecInput = z.input<typeof BCSpec>;

export const BC_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  ...OFFLINE_FACTS,
  name: "BC",
  title: "Behaviour cloning",
  schema: BCSpec,
  rlkit_only: true,
  search: { lr: Q_LEARNING_SEARCH.lr, batch_size: Q_LEARNING_SEARCH.batch_size },
  default_hp: ["lr", "batch_size"],
});

export const BC = /* @__PURE__ */ defineOffPolicy({
  ...POLICY_OF_DATA,
  spec: BC_DEFINITION,
  networks: (context) => ({ actor: policyNetwork(context) }),
  targets: {},
  sharesEncoder: {},
  optimizers: { optimizer: { networks: ["actor"], lr: "lr", grad_norm: "grad_norm" } },
  metrics: ["loss"],
  structural: ["loss", "normalize_images"],

  learn: ({ actor }, { obs, action, mask }, { loss: kind }) => {
    const policy = dataPolicy(actor, obs, mask);
    const isSquared = kind === "mse" && actor.data.distribution?.kind === "normal";
    const loss = isSquared
      ? meanAll(square(sub(policy.mode(), action)))
      : neg(meanAll(policy.logProb(action)));
    return { losses: { optimizer: loss }, metrics: { loss } };
  },
  result: ({ metrics }) => metrics.loss as number,
});
