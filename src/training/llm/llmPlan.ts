/** The settings of a language-model run in a manifest. */

import { type LlmSpec, llmMetricsOf } from "../../llm/algorithms.ts";
import { type LoraSettings, loraSettings } from "../../llm/models.ts";
import { algorithmDefinition, type SpecIssue, type TrainingManifest } from "../../manifests/index.ts";
import { type FinetuningNetworkSpec, isPretrained } from "../../specs/networks.ts";

interface LlmPlan {
  /** Metrics that the algorithm reports. */
  readonly metrics: readonly string[];
  /** The algorithm's spec, with the settings of the network section. */
  readonly spec: LlmSpec;
  /** Id or path of the base model; `null` if the manifest names none. */
  readonly model: string | null;
  /** LoRA settings; `null` trains without LoRA. */
  readonly lora: LoraSettings | null;
  readonly weight_storage: FinetuningNetworkSpec["weight_storage"];
}

/** Whether this build trains the manifest's algorithm as a language model. */
export const trainsLanguageModel = ({ algorithm }: TrainingManifest): boolean =>
  llmMetricsOf(algorithm.name) !== undefined;

export function llmPlanOf({ algorithm, network }: TrainingManifest): LlmPlan {
  const metrics = llmMetricsOf(algorithm.name);
  if (!metrics)
    throw new TypeError(`algorithm: found "${algorithm.name}", which does not train language models`);
  const spec = algorithm as LlmSpec; // the registry has it
  const section = network !== null && isPretrained(network) ? network : null;
  const lora = section?.lora_config ?? spec.lora_config;
  return {
    metrics,
    spec: section === null ? spec : { ...spec, max_model_len: section.max_context_length },
    model: section?.pretrained_model_name_or_path ?? spec.pretrained_model_name_or_path,
    lora: lora === null ? null : loraSettings(lora),
    weight_storage: section?.weight_storage ?? "f32",
  };
}

/** The refusal of a base model that is too large to be trained whole. @param words What it needs. */
export const tooLargeWhole = (words: string): SpecIssue => ({
  code: "range",
  path: "algorithm.full_finetuning",
  segments: ["algorithm", "full_finetuning"],
  message: `found true; training all weights ${words}; remove it to train an adapter, use a smaller model, or lower algorithm.micro_batch_size_per_gpu`,
});

/** Intervals of a run, in outer iterations. */
interface LlmRhythm {
  readonly evaluation_interval: number;
  readonly evo_steps: number;
}

export function rhythmOf(manifest: TrainingManifest): LlmRhythm {
  const { training, algorithm } = manifest;
  return {
    evaluation_interval: training.evaluation_interval,
    // Absent if evo_epochs is given.
    evo_steps: training.evo_steps ?? algorithmDefinition(algorithm.name).evo_steps,
  };
}
