/** Fields of specs that are read and do nothing: settings of the Python relative's engine, and dropout. */
import { fieldsWithoutEffect } from "../../specs/fieldsSet.ts";
import { algorithmDefinition } from "../../specs/index.ts";
import { COLOCATED_ENGINE } from "../../specs/manifest/resolveManifest.ts";
import { LoraConfigDict } from "../../specs/networks/LoraConfigDict.ts";
import type { LlmSpec } from "../algorithms/registry.ts";

/** An adapter's fields that its owner set and that nothing reads. No dropout is what there is. */
const idleOfAdapter = ({ lora_config }: LlmSpec): string[] =>
  lora_config === null
    ? []
    : fieldsWithoutEffect(LoraConfigDict.shape, lora_config)
        .filter((key) => key !== "lora_dropout" || lora_config.lora_dropout !== 0)
        .map((key) => `lora_config.${key}`);

/** Whether a manifest's engine is the one that is there where its owner says nothing. */
const isImplied = (key: string, value: unknown): boolean =>
  key === "vllm_config" && JSON.stringify(value) === JSON.stringify(COLOCATED_ENGINE);

/** Fields of a spec that its owner set and that nothing reads. */
export function idleFields(spec: LlmSpec): string[] {
  const fields: Readonly<Record<string, unknown>> = { ...spec };
  const own = fieldsWithoutEffect(algorithmDefinition(spec.name).schema.shape, fields);
  return [...own.filter((key) => !isImplied(key, fields[key])), ...idleOfAdapter(spec)];
}
