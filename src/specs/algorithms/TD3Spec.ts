import { z } from "zod";
import { field, fraction, hpoRangeOf } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { type Defined, defineAlgorithm } from "./defineAlgorithm.ts";
import { ACTOR_CRITIC_HP, actorCriticRates, explorationNoiseShape, policyFreq } from "./explorationNoise.ts";

/** Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018). */
export const TD3Spec = z.strictObject({
  name: field(z.literal("TD3").default("TD3"), "Twin delayed deterministic policy gradient."),
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(1e-4, 1e-3),
  tau: field(
    fraction().default(0.005),
    "Fraction of the online networks blended into the target networks with each update of the policy.",
    { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
  ),
  policy_freq: policyFreq,
  ...explorationNoiseShape,
  share_encoders: field(z.boolean().default(false), "The critics use the policy's encoder."),
});
export type TD3Spec = z.output<typeof TD3Spec>;
export type TD3SpecInput = z.input<typeof TD3Spec>;

export const TD3_DEFINITION: Defined<{
  readonly name: "TD3";
  readonly title: string;
  readonly schema: typeof TD3Spec;
  readonly off_policy: true;
  readonly default_hp: typeof ACTOR_CRITIC_HP;
  readonly num_envs_field: "vect_noise_dim";
}> = defineAlgorithm({
  name: "TD3",
  title: "Twin delayed deterministic policy gradient",
  schema: TD3Spec,
  off_policy: true,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
});
