/** What keeps a language model's run from starting, and what its owner should know. */
import { requireSupported } from "../../llm/environments/requireSupported.ts";
import { TEXT_MODELS } from "../../specs/builtInText.ts";
import { dottedPath, type SpecIssue, type TrainingManifest } from "../../specs/index.ts";
import { COLOCATED_ENGINE } from "../../specs/manifest/resolveManifest.ts";
import { llmPlanOf } from "./llmPlan.ts";

const issue = (segments: readonly string[], message: string): SpecIssue => ({
  code: "rule",
  path: dottedPath(segments),
  segments,
  message,
});

/** Mutations that a language model's members do not have, by what messages call them. */
const MUTATIONS = {
  arch_mut: "architecture",
  new_layer: "new layer",
  params_mut: "parameters",
  act_mut: "activation",
} as const;

function evolutionIssues({
  mutation,
  selection_strategy: selection,
}: TrainingManifest): readonly SpecIssue[] {
  const found: SpecIssue[] = [];
  for (const [key, name] of Object.entries(MUTATIONS)) {
    const probability = mutation?.probabilities[key as keyof typeof MUTATIONS] ?? 0;
    if (probability === 0) continue;
    // Without architecture mutation the probability of a new layer is that of nothing.
    if (key === "new_layer" && mutation?.probabilities.arch_mut === 0) continue;
    const message = `Probability of ${name} mutation must be 0 for language models, found ${probability}`;
    found.push(issue(["mutation", "probabilities", key], message));
  }
  if (selection && "elitism" in selection && !selection.elitism)
    found.push(issue(["selection_strategy", "elitism"], "found false, allowed true for language models"));
  if (selection?.strategy === "multi_frequency")
    found.push(
      issue(
        ["selection_strategy", "strategy"],
        'found "multi_frequency", allowed "tournament" for language models',
      ),
    );
  return found;
}

function environmentIssues({ environment }: TrainingManifest): readonly SpecIssue[] {
  if (environment.env_type !== "rollout") return [];
  try {
    requireSupported(environment);
    return [];
  } catch (error) {
    return [issue(["environment"], error instanceof Error ? error.message : String(error))];
  }
}

function modelIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const { model, spec } = llmPlanOf(manifest);
  const place = ["network", "pretrained_model_name_or_path"];
  if (model?.startsWith("rlkit/") && !TEXT_MODELS.some((id) => id === model))
    return [
      issue(place, `found "${model}", allowed ${TEXT_MODELS.join(", ")}, or a folder with a model's files`),
    ];
  const { mini_batch_size: mini, micro_batch_size_per_gpu: micro, batch_size } = spec;
  if (mini !== null && mini !== (micro ?? batch_size)) {
    const message = `found ${mini}, allowed ${micro ?? batch_size}: a micro-batch is one optimiser step; leave it out`;
    return [issue(["algorithm", "mini_batch_size"], message)];
  }
  return [];
}

/** A manifest without issues starts. */
export const llmIssues = (manifest: TrainingManifest): readonly SpecIssue[] => [
  ...modelIssues(manifest),
  ...environmentIssues(manifest),
  ...evolutionIssues(manifest),
];

/** Fields of the Python relative's engine that are read and do nothing here. */
const ENGINE = [
  "quantization",
  "use_sequence_packing",
  "fsdp",
  "attn_implementation",
  "vllm_config",
  "vllm_lora_export_dir",
  "use_liger_kernel",
  "use_mamba_kernels",
  "hf_generate_chunk_size",
] as const;

export function llmWarnings(manifest: TrainingManifest): readonly string[] {
  const { algorithm, training } = manifest;
  const set = ENGINE.filter((key) => {
    const value: unknown = (algorithm as Readonly<Record<string, unknown>>)[key];
    // That is not of the manifest's owner: it is there where nothing is said.
    if (key === "vllm_config" && JSON.stringify(value) === JSON.stringify(COLOCATED_ENGINE)) return false;
    return value !== undefined && value !== null && value !== false;
  });
  const warnings: string[] = [];
  if (set.length > 0)
    warnings.push(`${set.map((key) => `algorithm.${key}`).join(", ")}: without effect here`);
  if (training.evo_steps === null && manifest.mutation && manifest.selection_strategy)
    warnings.push("training.evo_steps is absent: members evolve every 10 outer iterations");
  return warnings;
}
