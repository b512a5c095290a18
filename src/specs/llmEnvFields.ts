import { z } from "zod";
import { atLeast, field, fraction, integer, mapping } from "./field.ts";
import { TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_RUBRICS } from "./manifestNames.ts";

/** Measures of an evaluation on labelled rows, by objective. The first is the default without a rubric. */
export const DATASET_FITNESS = {
  preference: ["accuracy", "margin", "likelihood", "exact_match", "rubric"],
  unpaired: ["accuracy", "likelihood", "rubric"],
  sft: ["likelihood", "exact_match", "rubric"],
} as const;
export type DatasetFitness = (typeof DATASET_FITNESS.preference)[number];

/** The measure that is set, that of a rubric, or the objective's. */
export const datasetFitness = (
  objective: keyof typeof DATASET_FITNESS,
  fitness: DatasetFitness | null,
  hasRubric: boolean,
): DatasetFitness => fitness ?? (hasRubric ? "rubric" : DATASET_FITNESS[objective][0]);

const optional = <S extends z.ZodType>(schema: S, description: string, hints = {}) =>
  field(schema.nullable().default(null), description, hints);
const advanced = { advanced: true };
const cluster = { advanced: true, effect: false };
const outside = { outside: [] };
const own = { advanced: true, rlkit_only: true };

/** Fields of a language model's environments. @internal */
export const llmEnvShape = {
  num_envs: field(integer(1).default(1), "Environments that run in parallel.", { unit: "environments" }),
  version: optional(z.union([z.string(), z.int()]), "Version on the remote platform.", cluster),
  objective: optional(
    z.enum(["preference", "unpaired", "sft"]),
    "Objective of a data set, which the algorithm implies.",
  ),
  dataset: optional(z.string(), "File or name of the dataset.", { outside: TEXT_DATASETS }),
  dataset_path: optional(z.string(), "File of the dataset.", { outside: TEXT_DATASETS }),
  hf_dataset_id: optional(z.string(), "Data set on the hub, as OWNER/NAME or OWNER/NAME@REVISION.", outside),
  hf_config: optional(z.string(), "Its configuration. If unset, the usual one.", own),
  hf_split: optional(z.string(), "Its split. If unset, train.", own),
  columns: optional(z.record(z.string(), z.string()), "Names of the columns, by role."),
  response_column: optional(z.string(), "Column that holds the answers."),
  prompt_template: optional(
    z.record(z.string(), z.string()),
    "Messages of the prompt under role_position, such as user_1.",
  ),
  rubric_file_path: optional(z.string(), "File with the function that rewards an answer.", {
    outside: TEXT_RUBRICS,
  }),
  rubric_name: optional(z.string(), "Name of that function."),
  reward_weights: optional(
    z.record(z.string(), z.number()),
    "Weights of the components of rewards, by name. A reward is the sum of its components times these.",
    { rlkit_only: true },
  ),
  fitness: optional(
    z.enum(DATASET_FITNESS.preference),
    "What an evaluation on labelled rows measures. accuracy: the share of pairs whose chosen answer gains more than the rejected one, or of single answers that gain where they are desirable and lose where not. margin: by how much, times beta. likelihood: of the answers. exact_match, rubric: of greedy answers.",
    { rlkit_only: true },
  ),
  max_reward: optional(z.number(), "Reward at or above which an answer counts as correct."),
  train_test_split: optional(fraction(), "Share of the rows to train on."),
  entrypoint: optional(z.string(), "Environment, as module:Class or a built-in name.", {
    outside: TEXT_ENVIRONMENTS,
  }),
  factory: optional(z.string(), "Function, as module:function, that creates the environment.", outside),
  env_config: optional(mapping(), "Arguments for making the environment."),
  env_packages: optional(
    z.partialRecord(z.enum(["uv", "pip"]), z.array(z.string())),
    "Packages it needs.",
    cluster,
  ),
  max_turns: optional(integer(1), "Maximum number of turns in an episode."),
  strict_chat_template_boundary: optional(
    z.boolean(),
    "Rejects chat templates without clear boundaries between turns.",
    advanced,
  ),
  observation_field: optional(z.string(), "Field of an observation that is shown.", advanced),
  observation_processor: optional(z.string(), "Function that converts an observation to text.", {
    ...advanced,
    ...outside,
  }),
  env_url: optional(
    z.union([z.string(), z.array(z.string())]),
    "Address of a served environment, or several.",
    outside,
  ),
  mcp_tool: optional(z.string(), "Tool that receives the actions.", advanced),
  action_field: optional(z.string(), "Field of an action that holds the completion.", advanced),
  request_timeout_s: optional(atLeast(0), "Longest wait for an answer.", { unit: "s", advanced: true }),
  env_hosts: optional(integer(1), "Machines that serve environments.", cluster),
  env_image: optional(z.string(), "Container that serves environments.", { ...cluster, ...outside }),
  env_port: optional(integer(1), "Port of the container.", cluster),
  env_sessions_per_host: optional(integer(1), "Sessions of one container.", cluster),
  env_session_ports: field(mapping().default({}), "Ports by session.", cluster),
  cpus_per_env_host: optional(atLeast(0), "Cores of one container.", cluster),
  env_host_memory_bytes: optional(integer(1), "Memory of one container.", cluster),
  env_host_memory_limit_bytes: optional(integer(1), "Memory limit of one container.", cluster),
  env_host_ready_timeout_s: optional(atLeast(0), "Longest wait for a container.", cluster),
  env_services: field(z.array(z.unknown()).default([]), "Services that run next to a container.", cluster),
  env_host_resource: optional(z.string(), "Kind of machine for containers.", cluster),
  env_vars: field(mapping().default({}), "Variables of a container.", cluster),
  chat_template_kwargs: field(mapping().default({}), "Arguments of the chat template.", advanced),
  chat_template_path: optional(z.string(), "File with a custom chat template.", { ...advanced, ...outside }),
  apply_chat_template: field(
    z.boolean().default(true),
    "Formats prompts with the model's chat template.",
    advanced,
  ),
};

/** Settings that only containers have. */
export const POD_FIELDS = [
  "env_port",
  "env_sessions_per_host",
  "cpus_per_env_host",
  "env_host_memory_bytes",
  "env_host_memory_limit_bytes",
  "env_host_ready_timeout_s",
  "env_host_resource",
] as const;

/** Settings that only containers have, as lists and mappings; empty by default. */
export const POD_COLLECTIONS = ["env_session_ports", "env_services", "env_vars"] as const;
