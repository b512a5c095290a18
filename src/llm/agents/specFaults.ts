/**
 * What a spec allows but rlkit cannot train with, and fields that are accepted without effect: dropout, and settings
 * of AgileRL's inference engine.
 */
import { COLOCATED_ENGINE } from "../../specs/algorithms.ts";
import { fieldsWithoutEffect } from "../../specs/checks.ts";
import { LoraConfigDict } from "../../specs/networks.ts";
import { reasonOf } from "../../storage/files.ts";
import { LLM_ALGORITHMS, type LlmSpec } from "../algorithms/registry.ts";
import { parsePattern } from "../sampling/pattern/parsePattern.ts";

interface SpecFault {
  /** Path in the spec. */
  readonly field: readonly string[];
  /** What was found, what is allowed, what to do. */
  readonly message: string;
}

/** Fields of algorithms that learn by gradients. */
interface MicroBatches {
  readonly mini_batch_size?: number | null;
  readonly micro_batch_size_per_gpu?: number | null;
  readonly gradient_accumulation_steps?: number;
}

/** Why a pattern cannot constrain completions; `null` if it can. */
function patternFault(pattern: string | null): string | null {
  if (pattern === null) return null;
  try {
    parsePattern(pattern);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Faults of a spec: unsupported patterns, optimiser steps over several micro-batches, and adapters on
 * parameters outside linear layers.
 */
export function specFaults(spec: LlmSpec): readonly SpecFault[] {
  const { batch_size, lora_config } = spec;
  const {
    mini_batch_size: mini = null,
    micro_batch_size_per_gpu = null,
    gradient_accumulation_steps: together = 1,
  }: LlmSpec & MicroBatches = spec;
  const step = (micro_batch_size_per_gpu ?? batch_size) * together;
  const parameters = lora_config?.target_parameters ?? null;
  const faults: SpecFault[] = [];
  if (mini !== null && mini !== step)
    faults.push({
      field: ["mini_batch_size"],
      message: `found ${mini}, allowed ${step}: ${together > 1 ? `${together} micro-batches are` : "a micro-batch is"} one optimiser step; leave it out${together > 1 ? "" : ", or set gradient_accumulation_steps"}`,
    });
  if (parameters !== null)
    faults.push({
      field: ["lora_config", "target_parameters"],
      message: `found ${JSON.stringify(parameters)}, allowed null: adapters go to linear layers; name those in target_modules`,
    });
  const found = patternFault(spec.constrain_answer_pattern);
  if (found !== null) faults.push({ field: ["constrain_answer_pattern"], message: found });
  return faults;
}

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
