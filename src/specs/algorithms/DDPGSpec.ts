import { z } from "zod";
import { field, fraction, hpoRangeOf } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { type Defined, defineAlgorithm } from "./defineAlgorithm.ts";
import { ACTOR_CRITIC_HP, actorCriticRates, explorationNoiseShape, policyFreq } from "./explorationNoise.ts";

/** Deep deterministic policy gradient (Lillicrap et al. 2016). */
export const DDPGSpec = z.strictObject({
  name: field(z.literal("DDPG").default("DDPG"), "Deep deterministic policy gradient."),
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(1e-4, 1e-3),
  tau: field(
    fraction().default(0.001),
    "Fraction of the online networks blended into the target networks with each update of the policy.",
    { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
  ),
  policy_freq: policyFreq,
  ...explorationNoiseShape,
  share_encoders: field(z.boolean().default(false), "The critic uses the policy's encoder."),
});
export type DDPGSpec = z.output<typeof DDPGSpec>;
export type DDPGSpecInput = z.input<typeof DDPGSpec>;

export const DDPG_DEFINITION: Defined<{
  readonly name: "DDPG";
  readonly title: string;
  readonly schema: typeof DDPGSpec;
  readonly off_policy: true;
  readonly default_hp: typeof ACTOR_CRITIC_HP;
  readonly num_envs_field: "vect_noise_dim";
}> = defineAlgorithm({
  name: "DDPG",
  title: "Deep deterministic policy gradient",
  schema: DDPGSpec,
  off_policy: true,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
});
