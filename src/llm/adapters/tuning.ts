/** Describes an adapter to the compiled programs. */
import type { ModelConfig } from "../models/ModelConfig.ts";
import type { Tuning } from "../models/WeightSource.ts";
import { type LoraSettings, loraTargets } from "./loraTargets.ts";

/** The tuning of a model with the given LoRA settings; the base model for `null`. */
export const tuningOfAdapter = (config: ModelConfig, lora: LoraSettings | null): Tuning => {
  if (lora === null) return { kind: "base" };
  const { lora_r, lora_alpha, target_modules } = lora;
  const targets = loraTargets(config, target_modules).map(({ weight }) => weight);
  return { kind: "adapter", adapter: { rank: lora_r, scale: lora_alpha / lora_r, targets } };
};
