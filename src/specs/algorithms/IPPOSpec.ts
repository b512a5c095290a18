import { z } from "zod";
import { field, hpoRangeOf, integer } from "../field.ts";
import { MultiAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";
import { PPOSpec } from "./PPOSpec.ts";

const {
  lr,
  gae_lambda,
  action_std_init,
  clip_coef,
  ent_coef,
  vf_coef,
  max_grad_norm,
  target_kl,
  update_epochs,
} = PPOSpec.shape;

/** Independent proximal policy optimisation: PPO for each agent of a group (de Witt et al. 2020). */
export const IPPOSpec = z.strictObject({
  name: field(z.literal("IPPO").default("IPPO"), "Independent proximal policy optimisation."),
  ...MultiAgentAlgorithmSpec.shape,
  learn_step: field(integer(1).default(2048), "Environment steps collected for each learning phase.", {
    unit: "steps",
    hpo: hpoRangeOf(512, 8192),
  }),
  lr,
  gae_lambda,
  action_std_init,
  clip_coef,
  ent_coef,
  vf_coef,
  max_grad_norm,
  target_kl,
  update_epochs,
  action_batch_size: field(
    integer(1).nullable().default(null),
    "Observations per pass of the policy. If unset, all.",
    { mutable: false, advanced: true },
  ),
});
export type IPPOSpec = z.output<typeof IPPOSpec>;
export type IPPOSpecInput = z.input<typeof IPPOSpec>;

export const IPPO_DEFINITION = defineAlgorithm({
  name: "IPPO",
  title: "Independent proximal policy optimisation",
  schema: IPPOSpec,
  on_policy: true,
  multi_agent: true,
  stochastic_actor: true,
  default_hp: [],
});
