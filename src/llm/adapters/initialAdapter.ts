import { type DrawKey, Random, subKey } from "../../evolution/index.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import type { Tuning } from "../models/WeightSource.ts";
import { adapterWeightsOf, type LoraSettings, loraTargets } from "./loraTargets.ts";

/** The tuning of a model with the given LoRA settings; the base model for `null`. */
export const tuningOfAdapter = (config: ModelConfig, lora: LoraSettings | null): Tuning => {
  if (lora === null) return { kind: "base" };
  const { lora_r, lora_alpha, target_modules } = lora;
  const targets = loraTargets(config, target_modules).map(({ weight }) => weight);
  return { kind: "adapter", adapter: { rank: lora_r, scale: lora_alpha / lora_r, targets } };
};

/** Weights by their names in PEFT's files. */
export type AdapterWeights = ReadonlyMap<string, Float32Array>;

/**
 * An adapter that has no effect yet (Hu et al. 2021): A is uniform in +-1/sqrt(in), as in PEFT, and B is
 * zero. Each matrix has its own random stream, keyed by its name.
 */
export function initialAdapter(config: ModelConfig, lora: LoraSettings, key: DrawKey): AdapterWeights {
  return new Map(
    adapterWeightsOf(config, lora).map(({ name, shape: [rows, columns] }) => {
      if (name.endsWith(".lora_B.weight")) return [name, new Float32Array(rows * columns)];
      const random = new Random(subKey(key, name));
      const bound = 1 / Math.sqrt(columns);
      const draw = (): number => bound * (2 * random.uniform() - 1);
      return [name, Float32Array.from({ length: rows * columns }, draw)];
    }),
  );
}
