import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf } from "../field.ts";
import { defineAlgorithm, type RawAlgorithm } from "./defineAlgorithm.ts";
import { checkLanguageModel } from "./LLMAlgorithmSpec.ts";
import {
  adapterRate,
  clipCoef,
  LANGUAGE_MODEL,
  type LanguageDefinition,
  RATIO_LEVELS,
  rolloutShape,
} from "./rolloutLLM.ts";

const pooling = field(
  z.enum(["sum", "mean"]).nullable().default(null),
  "How the log-ratios of a turn's or trajectory's tokens are combined. If unset, they are summed.",
);

/** Fields of policy-gradient algorithms for language models, some of which differ from the base. */
const shape = {
  ...rolloutShape,
  temperature: field(atLeast(0).default(1), "Sampling temperature; 0 always takes the most likely token.", {
    step: 0.1,
    hpo: hpoRangeOf(0.1, 1),
  }),
  beta: field(fraction().default(0.01), "Weight of the distance to the reference model.", {
    step: "log",
    hpo: hpoRangeOf(1e-4, 0.01),
  }),
  max_grad_norm: field(atLeast(0).default(1), "Largest L2 norm of a gradient.", {
    hpo: hpoRangeOf(0.35, 0.65),
  }),
  clip_coef: clipCoef,
  gamma: field(fraction().default(1), "Discount of future rewards."),
  advantage_granularity: field(
    z.enum(["auto", "token", "turn"]).default("auto"),
    "Unit of one advantage. auto: tokens if every trajectory of the batch has one turn, otherwise turns.",
  ),
  turn_ratio_pooling: pooling,
};

/** Proximal policy optimisation of a language model, with a value head. */
export const LLMPPOSpec = z
  .strictObject({
    name: field(z.literal("LLMPPO").default("LLMPPO"), "Proximal policy optimisation of a language model."),
    ...shape,
    lr_actor: field(atLeast(0).default(5e-7), "Learning rate of the policy's adapter.", {
      step: "log",
      hpo: hpoRangeOf(1e-7, 1e-5),
    }),
    lr_critic: field(atLeast(0).nullable().default(5e-5), "Learning rate of the value head.", {
      step: "log",
      hpo: hpoRangeOf(1e-7, 1e-5),
    }),
    vf_coef: field(fraction().default(0.5), "Weight of the value loss.", { step: 0.05 }),
    gae_lambda: field(fraction().default(1), "Weight of long returns in the advantage estimate."),
    turn_level_clip: field(
      z.boolean().default(true),
      "With importance_sampling_level auto, uses turn ratios if advantages are per turn.",
    ),
    whiten_advantages: field(z.boolean().default(true), "Normalises advantages over the batch."),
    importance_sampling_level: field(
      z.enum(["auto", ...RATIO_LEVELS]).default("auto"),
      "Unit of one importance ratio. auto: the unit of the advantages, or tokens without turn_level_clip.",
    ),
    turn_value_reduction: field(
      z.enum(["mean", "final_value"]).default("final_value"),
      "A turn's value: that of its last token, or the mean over its tokens.",
    ),
    use_memory_efficient_params: field(z.boolean().default(true), "Frees gathered weights early.", {
      advanced: true,
      effect: false,
    }),
  })
  .superRefine(checkLanguageModel);
export type LLMPPOSpec = z.output<typeof LLMPPOSpec>;
export type LLMPPOSpecInput = z.input<typeof LLMPPOSpec>;

/** Reads `lr` as another name of `lr_actor`. */
function withActorRate(raw: RawAlgorithm, context: z.core.$RefinementCtx): RawAlgorithm {
  const { lr, ...rest } = raw;
  if (lr === undefined) return raw;
  if (rest.lr_actor === undefined) return { ...rest, lr_actor: lr };
  const message = 'given together with "lr_actor", which is the same setting; keep one of the two';
  context.addIssue({ code: "custom", path: ["lr"], message });
  return rest;
}

export const LLMPPO_DEFINITION: LanguageDefinition<
  "LLMPPO",
  typeof LLMPPOSpec,
  { readonly prepare: typeof withActorRate }
> = defineAlgorithm({
  name: "LLMPPO",
  title: "Proximal policy optimisation of a language model",
  schema: LLMPPOSpec,
  prepare: withActorRate,
  ...LANGUAGE_MODEL,
  env_types: ["rollout"],
});

/** REINFORCE of a language model (Williams 1992), with clipped importance ratios. */
export const LLMREINFORCESpec = z
  .strictObject({
    name: field(z.literal("LLMREINFORCE").default("LLMREINFORCE"), "REINFORCE of a language model."),
    ...shape,
    lr: adapterRate(5e-7),
    importance_sampling_level: field(
      z.enum(RATIO_LEVELS).default("token"),
      "What one importance ratio covers.",
    ),
  })
  .superRefine(checkLanguageModel);
export type LLMREINFORCESpec = z.output<typeof LLMREINFORCESpec>;
export type LLMREINFORCESpecInput = z.input<typeof LLMREINFORCESpec>;

export const LLMREINFORCE_DEFINITION: LanguageDefinition<"LLMREINFORCE", typeof LLMREINFORCESpec> =
  defineAlgorithm({
    name: "LLMREINFORCE",
    title: "REINFORCE of a language model",
    schema: LLMREINFORCESpec,
    ...LANGUAGE_MODEL,
    env_types: ["rollout"],
  });
