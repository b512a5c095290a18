/** Issues that keep a language-model run from starting, and warnings for its owner. */

import { SELECTIONS, selectionDefinition } from "../../evolution/selections.ts";
import type { LlmSpec } from "../../llm/algorithms.ts";
import { requireLoadable, requireRubricHere, requireSupported } from "../../llm/environments.ts";
import { idleFields, specFaults } from "../../llm/members.ts";
import {
  dottedPath,
  evolutionSections,
  rangeWarnings,
  type SpecIssue,
  type TrainingManifest,
  TrainingSpec,
} from "../../manifests/index.ts";
import { FieldError, fieldsSet } from "../../specs/checks.ts";
import { llmEnvShape, TEXT_MODELS } from "../../specs/sections.ts";
import { reasonOf } from "../../storage/files.ts";
import { llmPlanOf } from "./llmPlan.ts";

const issue = (segments: readonly string[], message: string): SpecIssue => ({
  code: "rule",
  path: dottedPath(segments),
  segments,
  message,
});

/** Mutations that members of language-model runs do not support, with their names in messages. */
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
    // The probability of a new layer has no effect without architecture mutation.
    if (key === "new_layer" && mutation?.probabilities.arch_mut === 0) continue;
    const message = `Probability of ${name} mutation must be 0 for language models, found ${probability}`;
    found.push(issue(["mutation", "probabilities", key], message));
  }
  if (selection && "elitism" in selection && !selection.elitism)
    found.push(issue(["selection_strategy", "elitism"], "found false, allowed true for language models"));
  if (selection && selectionDefinition(selection).language_models === false) {
    const allowed = SELECTIONS.filter(({ language_models }) => language_models !== false);
    const names = allowed.map(({ strategy }) => `"${strategy}"`).join(", ");
    const message = `found "${selection.strategy}"; language models allow ${names}`;
    found.push(issue(["selection_strategy", "strategy"], message));
  }
  return found;
}

function environmentIssues({ environment }: TrainingManifest): readonly SpecIssue[] {
  if (environment.env_type !== "rollout" && environment.env_type !== "dataset") return [];
  try {
    if (environment.env_type === "rollout") requireSupported(environment);
    else requireRubricHere(environment);
    if (environment.env_type === "dataset" || environment.rubric_file_path !== null)
      requireLoadable(environment);
    return [];
  } catch (error) {
    if (error instanceof FieldError) return [issue(["environment", error.field], error.detail)];
    return [issue(["environment"], reasonOf(error))];
  }
}

function modelIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const { model, spec, weight_storage } = llmPlanOf(manifest);
  const place = ["network", "pretrained_model_name_or_path"];
  if (model?.startsWith("rlkit/") && !TEXT_MODELS.some((id) => id === model))
    return [
      issue(place, `found "${model}", allowed ${TEXT_MODELS.join(", ")}, or a folder with a model's files`),
    ];
  const unpacked =
    "acting" in spec && spec.acting === "onnxruntime"
      ? "algorithm.acting onnxruntime"
      : spec.full_finetuning
        ? "algorithm.full_finetuning, which keeps no base"
        : null;
  const packed =
    weight_storage !== "f32" && unpacked !== null
      ? [issue(["network", "weight_storage"], `found "${weight_storage}", allowed "f32" with ${unpacked}`)]
      : [];
  return [
    ...specFaults(spec).map(({ field, message }) => issue(["algorithm", ...field], message)),
    ...packed,
  ];
}

/** Issues that keep a run of the manifest from starting. */
export const llmIssues = (manifest: TrainingManifest): readonly SpecIssue[] => [
  ...modelIssues(manifest),
  ...environmentIssues(manifest),
  ...evolutionIssues(manifest),
];

/**
 * Fields of `training` that the loop reads. The exploration rates are listed because they have their own
 * warning.
 */
const TRAINING = [
  "name",
  "max_steps",
  "evo_steps",
  "pop_size",
  "eval_loop",
  "hpo",
  "fitness_window",
  "final_episodes",
  "target_score",
  "early_stopping_patience",
  "early_stopping_threshold",
  "eps_start",
  "eps_end",
  "eps_decay",
  "checkpoint_steps",
  "checkpoint_path",
  "overwrite_checkpoints",
  "evaluation_interval",
  "num_epochs",
  "max_wall_seconds",
  "seed",
];

const ROWS = [
  "dataset",
  "dataset_path",
  "hf_dataset_id",
  "hf_config",
  "hf_split",
  "columns",
  "response_column",
  "prompt_template",
  "train_test_split",
];
const RUBRIC = ["rubric_file_path", "rubric_name", "reward_weights"];
const CHAT = ["chat_template_kwargs", "chat_template_path", "apply_chat_template"];

/** Fields of `environment` that are read, or rejected with a reason, by kind of environment. */
const ENVIRONMENT = {
  dataset: [...ROWS, ...CHAT, ...RUBRIC, "objective", "fitness"],
  rollout: [
    ...ROWS,
    ...CHAT,
    ...RUBRIC,
    "max_reward",
    "entrypoint",
    "factory",
    "env_config",
    "env_packages",
    "max_turns",
    "strict_chat_template_boundary",
    "observation_field",
    "observation_processor",
    "env_url",
    "env_image",
    "mcp_tool",
    "action_field",
    "request_timeout_s",
  ],
} as const;

function idleTraining(training: TrainingManifest["training"]): string[] {
  const defaults = new Map(Object.entries(TrainingSpec.parse({})));
  return Object.entries(training)
    .filter(([key, value]) => !TRAINING.includes(key) && value !== defaults.get(key))
    .map(([key]) => key);
}

/** Paths of settings in the manifest that have no effect. */
function idlePaths({ algorithm, training, environment }: TrainingManifest): readonly string[] {
  const { env_type } = environment;
  const rows = env_type === "rollout" || env_type === "dataset" ? ENVIRONMENT[env_type] : [];
  const spec = algorithm as LlmSpec; // the registry has it
  return [
    ...idleFields(spec).map((key) => `algorithm.${key}`),
    ...idleTraining(training).map((key) => `training.${key}`),
    ...fieldsSet(llmEnvShape, { ...environment })
      .filter((key) => !rows.some((read) => read === key))
      .map((key) => `environment.${key}`),
  ];
}

export function llmWarnings(manifest: TrainingManifest): readonly string[] {
  const { algorithm, training, mutation, selection_strategy } = manifest;
  const idle = idlePaths(manifest);
  const evolves = training.hpo || (mutation !== null && selection_strategy !== null);
  const ranges = Object.keys(evolutionSections(manifest).mutation?.rl_hp_selection ?? {}).length;
  return [
    ...rangeWarnings(manifest).map(({ path, message }) => `${path} ${message}`),
    ...(idle.length === 0 ? [] : [`${idle.join(", ")}: no effect in this run`]),
    ...(idle.includes("algorithm.quantization")
      ? ["network.weight_storage, and not algorithm.quantization, keeps a base in fewer bytes: f16 or q8"]
      : []),
    ...("nll_alpha" in algorithm && algorithm.nll_alpha === 0
      ? [
          "algorithm.nll_alpha is 0: nothing keeps the chosen answers likely, and they often become less so than before; watch chosen_log_prob",
        ]
      : []),
    ...(evolves && ranges === 0
      ? [
          "mutation.rl_hp_selection is empty: members are selected but never mutate, because language models have no default ranges",
        ]
      : []),
  ];
}
