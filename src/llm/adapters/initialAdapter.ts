import { type DrawKey, Random, subKey } from "../../evolution/index.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { adapterWeightsOf, type LoraSettings } from "./loraTargets.ts";

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
