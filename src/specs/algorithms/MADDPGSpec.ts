import { z } from "zod";
import { field, fraction, hpoRangeOf, integer } from "../field.ts";
import { MultiAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";
import { ACTOR_CRITIC_HP, actorCriticRates, explorationNoiseShape, policyFreq } from "./explorationNoise.ts";

/** Fields of multi-agent algorithms with deterministic policies and central critics. */
const shape = {
  ...MultiAgentAlgorithmSpec.shape,
  learn_step: field(integer(1).default(5), "Environment steps for each learning step.", {
    unit: "steps",
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
  gamma: field(fraction().default(0.95), "Discount of future rewards.", {
    step: 0.001,
    hpo: hpoRangeOf(0.9, 0.9999, 1.001, 0.999),
  }),
  ...actorCriticRates(1e-3, 0.01),
  tau: field(
    fraction().default(0.01),
    "Fraction of the online networks blended into the target networks after learning.",
    { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
  ),
  ...explorationNoiseShape,
};

/** Multi-agent deep deterministic policy gradient (Lowe et al. 2017). */
export const MADDPGSpec = z.strictObject({
  name: field(z.literal("MADDPG").default("MADDPG"), "Multi-agent deep deterministic policy gradient."),
  ...shape,
});
export type MADDPGSpec = z.output<typeof MADDPGSpec>;
export type MADDPGSpecInput = z.input<typeof MADDPGSpec>;

/** Multi-agent twin delayed deterministic policy gradient (Ackermann et al. 2019). */
export const MATD3Spec = z.strictObject({
  name: field(z.literal("MATD3").default("MATD3"), "Multi-agent twin delayed policy gradient."),
  ...shape,
  policy_freq: policyFreq,
});
export type MATD3Spec = z.output<typeof MATD3Spec>;
export type MATD3SpecInput = z.input<typeof MATD3Spec>;

const common = {
  off_policy: true,
  multi_agent: true,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
} as const;

export const MADDPG_DEFINITION = defineAlgorithm({
  name: "MADDPG",
  title: "Multi-agent deterministic policy gradient",
  schema: MADDPGSpec,
  ...common,
});

export const MATD3_DEFINITION = defineAlgorithm({
  name: "MATD3",
  title: "Multi-agent twin delayed policy gradient",
  schema: MATD3Spec,
  ...common,
});
