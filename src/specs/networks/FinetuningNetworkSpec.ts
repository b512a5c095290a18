import { z } from "zod";
import { TEXT_MODELS } from "../builtInText.ts";
import { field, integer } from "../field.ts";
import { LoraConfigDict } from "./LoraConfigDict.ts";

/** The network of language-model algorithms: a pretrained model and its adapter. */
export const FinetuningNetworkSpec = z.strictObject({
  pretrained_model_name_or_path: field(z.string().min(1), "The base model.", { outside: TEXT_MODELS }),
  max_context_length: field(integer(1), "Longest prompt and completion together.", { unit: "tokens" }),
  lora_config: field(LoraConfigDict.nullable().default(null), "The adapter."),
});
export type FinetuningNetworkSpec = z.output<typeof FinetuningNetworkSpec>;
export type FinetuningNetworkSpecInput = z.input<typeof FinetuningNetworkSpec>;
