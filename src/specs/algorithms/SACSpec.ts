import { z } from "zod";
import { field, fraction, hpoRangeOf } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";
import { ACTOR_CRITIC_HP, actorCriticRates, learningRate } from "./explorationNoise.ts";

/** Soft actor-critic with a learnt temperature (Haarnoja et al. 2018, arXiv 1812.05905). */
export const SACSpec = z.strictObject({
  name: field(z.literal("SAC").default("SAC"), "Soft actor-critic with a learnt temperature."),
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(3e-4, 3e-4),
  lr_alpha: learningRate(3e-4, "Learning rate of the temperature's Adam."),
  tau: field(
    fraction().default(0.005),
    "Share of the critics blended into the target networks after each learning step.",
    { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
  ),
  share_encoders: field(z.boolean().default(false), "The critics use the policy's encoder."),
});
export type SACSpec = z.output<typeof SACSpec>;
export type SACSpecInput = z.input<typeof SACSpec>;

export const SAC_DEFINITION = defineAlgorithm({
  name: "SAC",
  title: "Soft actor-critic",
  schema: SACSpec,
  rlkit_only: true,
  off_policy: true,
  stochastic_actor: true,
  default_hp: ACTOR_CRITIC_HP,
});
