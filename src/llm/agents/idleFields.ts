/**
 * Fields of specs that are accepted without effect: dropout, and settings of the Python
 * relative's inference engine.
 */

import { COLOCATED_ENGINE } from "../../specs/algorithms.ts";
import { fieldsWithoutEffect } from "../../specs/checks.ts";
import { LoraConfigDict } from "../../specs/networks.ts";
import { LLM_ALGORITHMS, type LlmSpec } from "../algorithms/registry.ts";

/**
 * Adapter fields that the user set without effect. `lora_dropout: 0` is not among
 * them, since there is no dropout.
 */
const idleOfAdapter = ({ lora_config }: LlmSpec): string[] =>
  lora_config === null
    ? []
    : fieldsWithoutEffect(LoraConfigDict.shape, lora_config)
        .filter((key) => key !== "lora_dropout" || lora_config.lora_dropout !== 0)
        .map((key) => `lora_config.${key}`);

/** Whether a manifest's engine setting is the one used by default. */
const isImplied = (key: string, value: unknown): boolean =>
  key === "vllm_config" && JSON.stringify(value) === JSON.stringify(COLOCATED_ENGINE);

/** Fields of a spec that the user set without effect. */
export function idleFields(spec: LlmSpec): string[] {
  const fields: Readonly<Record<string, unknown>> = { ...spec };
  const own = fieldsWithoutEffect(LLM_ALGORITHMS[spec.name].spec.schema.shape, fields);
  return [...own.filter((key) => !isImplied(key, fields[key])), ...idleOfAdapter(spec)];
}
