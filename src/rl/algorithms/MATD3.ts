/**
 * Multi-agent twin delayed policy gradient (Ackermann et al. 2019): MADDPG with the smaller value of two
 * critics, smoothed target actions, and policies and targets that are updated only in every policy_freq-th
 * learning step.
 */

import { z } from "zod";
import { minimum, type Tensor } from "../../kernels/index.ts";
import { ACTOR_CRITIC_HP, ACTOR_CRITIC_SEARCH, defineAlgorithm, policyFreq } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import {
  ACTOR_STEP,
  CRITIC_STEP,
  centralCriticShape,
  criticLosses,
  policyLosses,
  teamNetworks,
  teamPolicy,
} from "./centralCritics.ts";

/** Multi-agent twin delayed deterministic policy gradient (Ackermann et al. 2019). */
export const MATD3Spec = z.strictObject({
  name: field(z.literal("MATD3").default("MATD3"), "Multi-agent twin delayed policy gradient."),
  ...centralCriticShape,
  policy_freq: policyFreq,
});
export type MATD3Spec = z.output<typeof MATD3Spec>;
export type MATD3SpecInput = z.input<typeof MATD3Spec>;

export const MATD3_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "MATD3",
  title: "Multi-agent twin delayed policy gradient",
  schema: MATD3Spec,
  off_policy: true,
  search: ACTOR_CRITIC_SEARCH,
  multi_agent: true,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
});

const CRITICS = {
  critics_1: { target: "critic_targets_1", optimizer: "critic_1_optimizers" },
  critics_2: { target: "critic_targets_2", optimizer: "critic_2_optimizers" },
} as const;

export const MATD3 = /* @__PURE__ */ defineOffPolicy({
  ...teamPolicy,
  spec: MATD3_DEFINITION,
  networks: (context) =>
    teamNetworks(context, { critics_1: "critic_targets_1", critics_2: "critic_targets_2" }),
  targets: { actor_targets: "actors", critic_targets_1: "critics_1", critic_targets_2: "critics_2" },
  optimizers: {
    actor_optimizers: { networks: ["actors"], ...ACTOR_STEP },
    critic_1_optimizers: { networks: ["critics_1"], ...CRITIC_STEP },
    critic_2_optimizers: { networks: ["critics_2"], ...CRITIC_STEP },
  },
  counts: ["learn_step", "policy_freq"],

  learn: (networks, batch, _hyperparameters, _parameters, spaces) =>
    criticLosses(networks, batch, spaces, {
      critics: CRITICS,
      smoothed: true,
      least: ([first, second]) => minimum(first as Tensor, second as Tensor),
    }),
  delayed: {
    every: "policy_freq",
    optimizers: ["actor_optimizers"],
    metrics: ["actor_loss"],
    learn: (networks, batch, _hyperparameters, _parameters, spaces) =>
      policyLosses(networks, batch, spaces, { critic: "critics_1", smoothed: true }),
  },
});
