import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf } from "../field.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";
import { checkLanguageModel, llmShape } from "./LLMAlgorithmSpec.ts";
import { adapterRate, LANGUAGE_MODEL, type LanguageDefinition } from "./rolloutLLM.ts";

/** Adds an issue for each enabled switch of the base that an algorithm does not support. */
const without =
  (algorithm: string, keys: readonly ("use_sequence_packing" | "activation_offload")[]) =>
  (spec: Readonly<Record<(typeof keys)[number], boolean>>, context: z.core.$RefinementCtx): void => {
    for (const key of keys) {
      if (!spec[key]) continue;
      const message = `found true; ${algorithm} does not support it; set it to false`;
      context.addIssue({ code: "custom", path: [key], message });
    }
  };

/** Direct preference optimisation (Rafailov et al. 2023). */
export const DPOSpec = z
  .strictObject({
    name: field(z.literal("DPO").default("DPO"), "Direct preference optimisation."),
    ...llmShape,
    lr: adapterRate(5e-6),
    beta: field(fraction().default(0.1), "Weight of the distance to the reference model.", {
      step: "log",
      hpo: hpoRangeOf(1e-4, 0.01),
    }),
    nll_alpha: field(atLeast(0).default(1), "Weight of the chosen answers' own likelihood.", {
      hpo: hpoRangeOf(0.1, 2),
    }),
  })
  .superRefine(checkLanguageModel)
  .superRefine(without("DPO", ["use_sequence_packing"]));
export type DPOSpec = z.output<typeof DPOSpec>;
export type DPOSpecInput = z.input<typeof DPOSpec>;

export const DPO_DEFINITION: LanguageDefinition<"DPO", typeof DPOSpec, { readonly objective: "preference" }> =
  defineAlgorithm({
    name: "DPO",
    title: "Direct preference optimisation",
    schema: DPOSpec,
    ...LANGUAGE_MODEL,
    env_types: ["dataset"],
    objective: "preference",
  });

/** Supervised fine-tuning on responses. */
export const SFTSpec = z
  .strictObject({
    name: field(z.literal("SFT").default("SFT"), "Supervised fine-tuning."),
    ...llmShape,
    lr: adapterRate(5e-5),
    beta: field(
      fraction().default(0.001),
      "Weight of the distance to a reference model; no effect, since SFT has no reference model.",
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
  })
  .superRefine(checkLanguageModel)
  .superRefine(without("SFT", ["use_sequence_packing", "activation_offload"]));
export type SFTSpec = z.output<typeof SFTSpec>;
export type SFTSpecInput = z.input<typeof SFTSpec>;

export const SFT_DEFINITION: LanguageDefinition<"SFT", typeof SFTSpec, { readonly objective: "sft" }> =
  defineAlgorithm({
    name: "SFT",
    title: "Supervised fine-tuning",
    schema: SFTSpec,
    ...LANGUAGE_MODEL,
    env_types: ["dataset"],
    objective: "sft",
  });
