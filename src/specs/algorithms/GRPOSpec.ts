import { z } from "zod";
import { atLeast, field, hpoRangeOf, integer } from "../field.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";
import { checkLanguageModel } from "./LLMAlgorithmSpec.ts";
import {
  adapterRate,
  clipPair,
  LANGUAGE_MODEL,
  type LanguageDefinition,
  RATIO_LEVELS,
  rolloutShape,
} from "./rolloutLLM.ts";

const shape = {
  ...rolloutShape,
  group_size: field(
    integer(1).default(8),
    "Completions of each prompt, which are compared with one another; at least 2 are needed to learn anything.",
    { hpo: hpoRangeOf(4, 16, 1.5, 0.75) },
  ),
  lr: adapterRate(5e-7),
  clip_coef: clipPair,
  adv_norm: field(
    z.enum(["mean_only", "mean_std"]).default("mean_std"),
    "Advantages: rewards minus the group's mean, or also divided by the group's standard deviation.",
  ),
  use_kl_advantage_shaping: field(
    z.boolean().default(false),
    "Adds the distance to the reference model to the advantages instead of to the loss.",
  ),
  importance_sampling_level: field(
    z.enum(RATIO_LEVELS).nullable().default(null),
    "Unit of one importance ratio. If unset, a token; with GSPO always a trajectory.",
  ),
  advantage_granularity: field(
    z.enum(["auto", "trajectory", "turn"]).default("auto"),
    "Unit of one advantage. auto: turns if the importance ratio is per turn, otherwise trajectories.",
  ),
  whiten_advantages: field(z.boolean().default(false), "Normalises advantages over the batch."),
  adv_clip_range: field(
    atLeast(0).nullable().default(null),
    "Largest absolute value of an advantage. If unset, any.",
  ),
  filter_zero_adv: field(z.boolean().default(false), "Excludes sequences whose advantages are all zero."),
  adv_filter_eps: field(atLeast(0).default(0), "Advantages with an absolute value up to this count as zero."),
  use_memory_efficient_params: field(z.boolean().default(true), "Frees gathered weights early.", {
    advanced: true,
    effect: false,
  }),
  turn_advantage_trajectory_fallback: field(
    z.boolean().default(true),
    "Uses the trajectory's advantage for turns without one.",
  ),
  loss_norm: field(
    z.enum(["micro_batch", "accumulation_window"]).default("micro_batch"),
    "How the loss is averaged: over sequences (each a mean over its tokens), or over all tokens.",
  ),
};

const LOSS = "Loss variant of the GRPO family.";

/** Adds an issue if the bounds of the ratio are in the wrong order. */
function checkClip(
  { clip_coef }: { readonly clip_coef: number | readonly [number, number] },
  context: z.core.$RefinementCtx,
): void {
  if (typeof clip_coef === "number" || clip_coef[0] <= clip_coef[1]) return;
  const [least, most] = clip_coef;
  const message = `found [${least}, ${most}]; the first value is the lowest ratio and the second the highest: write [${most}, ${least}]`;
  context.addIssue({ code: "custom", path: ["clip_coef"], message });
}

/** Group relative policy optimisation (Shao et al. 2024). */
export const GRPOSpec = z
  .strictObject({
    name: field(z.literal("GRPO").default("GRPO"), "Group relative policy optimisation."),
    ...shape,
    loss_type: field(z.enum(["grpo", "gspo", "cispo"]).default("grpo"), LOSS),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkClip);
export type GRPOSpec = z.output<typeof GRPOSpec>;
export type GRPOSpecInput = z.input<typeof GRPOSpec>;

/** Group sequence policy optimisation (Zheng et al. 2025). */
export const GSPOSpec = z
  .strictObject({
    name: field(z.literal("GSPO").default("GSPO"), "Group sequence policy optimisation."),
    ...shape,
    loss_type: field(z.literal("gspo").default("gspo"), LOSS),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkClip);
export type GSPOSpec = z.output<typeof GSPOSpec>;
export type GSPOSpecInput = z.input<typeof GSPOSpec>;

/** Clipped importance-sampling weights policy optimisation (MiniMax 2025). */
export const CISPOSpec = z
  .strictObject({
    name: field(z.literal("CISPO").default("CISPO"), "Policy optimisation with clipped weights."),
    ...shape,
    loss_type: field(z.literal("cispo").default("cispo"), LOSS),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkClip);
export type CISPOSpec = z.output<typeof CISPOSpec>;
export type CISPOSpecInput = z.input<typeof CISPOSpec>;

const common = { ...LANGUAGE_MODEL, env_types: ["rollout"] };

export const GRPO_DEFINITION: LanguageDefinition<"GRPO", typeof GRPOSpec> = defineAlgorithm({
  name: "GRPO",
  title: "Group relative policy optimisation",
  schema: GRPOSpec,
  ...common,
});

export const GSPO_DEFINITION: LanguageDefinition<"GSPO", typeof GSPOSpec> = defineAlgorithm({
  name: "GSPO",
  title: "Group sequence policy optimisation",
  schema: GSPOSpec,
  ...common,
});

export const CISPO_DEFINITION: LanguageDefinition<"CISPO", typeof CISPOSpec> = defineAlgorithm({
  name: "CISPO",
  title: "Policy optimisation with clipped weights",
  schema: CISPOSpec,
  ...common,
});
