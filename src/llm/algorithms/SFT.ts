/** Supervised fine-tuning: maximises the likelihood of responses, given their prompts. */

import { z } from "zod";
import { exp, minimum, neg, stopGradient } from "../../kernels/index.ts";
import {
  accumulation,
  adapterRate,
  checkLanguageModel,
  cosineRate,
  defineAlgorithm,
  LANGUAGE_MODEL,
  llmShape,
  RESPONSE_SEARCH,
  without,
} from "../../specs/algorithms.ts";
import { field, fraction } from "../../specs/checks.ts";
import type { DatasetAlgorithm, LlmDefinition } from "./contract.ts";
import { actionTokens, ones } from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";

/** Its fields other than those of every language-model algorithm. */
type Own = {
  name: z.ZodDefault<z.ZodLiteral<"SFT">>;
  lr: z.ZodDefault<z.ZodNumber>;
  cosine_lr_schedule_config: typeof cosineRate;
  gradient_accumulation_steps: typeof accumulation;
};

/** Supervised fine-tuning on responses. */
export const SFTSpec: z.ZodObject<typeof llmShape & Own, z.core.$strict> = z
  .strictObject({
    name: field(z.literal("SFT").default("SFT"), "Supervised fine-tuning."),
    ...llmShape,
    lr: adapterRate(5e-5),
    beta: field(
      fraction().default(0.001),
      "Weight of the distance to a reference model, which SFT does not have.",
      {
        advanced: true,
        effect: false,
      },
    ),
    use_separate_reference_adapter: field(
      z.boolean().default(false),
      "Keeps the reference model as an adapter.",
      {
        advanced: true,
        effect: false,
      },
    ),
    use_sequence_packing: field(
      z.boolean().default(false),
      "Packs the rows of a micro-batch into sequences as long as its longest row. Rows do not see one another, so that what is learned stays the same.",
      { rlkit_only: [true] },
    ),
    cosine_lr_schedule_config: cosineRate,
    gradient_accumulation_steps: accumulation,
  })
  // Packing needs no attention kernels here.
  .superRefine((spec, context) => checkLanguageModel({ ...spec, use_sequence_packing: false }, context))
  .superRefine(without("SFT", ["activation_offload"]));
export type SFTSpec = z.output<typeof SFTSpec>;
export type SFTSpecInput = z.input<typeof SFTSpec>;

export const SFT_DEFINITION: LlmDefinition<"SFT", typeof SFTSpec, "sft"> = /* @__PURE__ */ defineAlgorithm({
  name: "SFT",
  title: "Supervised fine-tuning",
  schema: SFTSpec,
  ...LANGUAGE_MODEL,
  search: RESPONSE_SEARCH,
  env_types: ["dataset"],
  objective: "sft",
  metrics: ["loss", "perplexity"],
});

/** The largest integer whose exponential is finite in f32. */
const LARGEST_EXPONENT = 88;

export const SFT: DatasetAlgorithm<SFTSpec> = {
  kind: "dataset",
  spec: SFT_DEFINITION,
  rows_per_sample: 1,
  reference: () => false,

  inputs: () => ({ action_mask: "row_column" }),

  scalars: () => ({}),

  packs: ({ use_sequence_packing }) => use_sequence_packing,

  prepare: ({ action_mask }) => ({ inputs: { action_mask } }),

  counts: ({ action_mask }) => ({ tokens: ones(action_mask) }),

  loss: (context) => {
    const { mask, log_probs } = actionTokens(context);
    const loss = neg(maskedMean(log_probs, mask));
    return {
      loss: context.ofStep(loss, "tokens"),
      metrics: { perplexity: exp(minimum(stopGradient(loss), LARGEST_EXPONENT)) },
    };
  },
};
