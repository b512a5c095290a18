import { z } from "zod";
import { atLeast, field, fraction, integer } from "../field.ts";

/** A low-rank adapter of a language model. */
export const LoraConfigDict = z.strictObject({
  lora_r: field(integer(1).default(16), "Rank of the adapter's matrices."),
  lora_alpha: field(
    atLeast(1).default(32),
    "Scale of the adapter; its effect is multiplied by lora_alpha / lora_r.",
  ),
  target_modules: field(
    z.union([z.string(), z.array(z.string())]).default("all-linear"),
    "Layers that get an adapter, by name.",
  ),
  target_parameters: field(
    z.array(z.string()).nullable().default(null),
    "Single parameters that get an adapter, in layers other than linear ones; not supported.",
    { advanced: true },
  ),
  task_type: field(z.string().default("CAUSAL_LM"), "Kind of model.", {
    advanced: true,
    effect: false,
  }),
  lora_dropout: field(fraction().default(0.05), "Dropout in the adapter during training; treated as 0.", {
    advanced: true,
    effect: false,
  }),
});
export type LoraConfigDict = z.output<typeof LoraConfigDict>;
