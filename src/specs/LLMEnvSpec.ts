import { z } from "zod";
import { type Prepared, withAliases } from "./aliases.ts";
import { field } from "./field.ts";
import {
  DATASET_FITNESS,
  type DatasetFitness,
  datasetFitness,
  llmEnvShape,
  POD_COLLECTIONS,
  POD_FIELDS,
} from "./llmEnvFields.ts";

const ALIASES = { reward_file_path: "rubric_file_path", reward_fn_name: "rubric_name" };

const rolloutFields = z.strictObject({
  env_type: field(
    z.literal("rollout"),
    "The model generates text, and an environment or a rubric rewards it.",
  ),
  name: field(z.string().min(1).default("rollout"), "A label."),
  ...llmEnvShape,
});
const datasetFields = z.strictObject({
  env_type: field(z.literal("dataset"), "The model learns from labelled rows."),
  name: field(z.string().min(1).default("dataset"), "A label."),
  ...llmEnvShape,
});
type Rollout = z.output<typeof rolloutFields>;
type Dataset = z.output<typeof datasetFields>;
type Key = keyof typeof llmEnvShape;

const hasRows = ({ dataset, dataset_path, hf_dataset_id }: Rollout | Dataset): boolean =>
  dataset !== null || dataset_path !== null || hf_dataset_id !== null;

type Fail = (key: Key, message: string) => void;
const failIn =
  (context: z.core.$RefinementCtx): Fail =>
  (key, message) =>
    context.addIssue({ code: "custom", path: [key], message });

/** Adds an issue for each of `keys` that is set. */
function refuseSet(spec: Rollout | Dataset, keys: readonly Key[], why: string, fail: Fail): void {
  for (const key of keys) if (spec[key] !== null) fail(key, `${why}; leave it out`);
}

/** Adds an issue for each setting of a data set on the hub without one. */
function refuseHub(spec: Rollout | Dataset, fail: Fail): void {
  if (spec.hf_dataset_id === null)
    refuseSet(spec, ["hf_config", "hf_split"], "belongs to hf_dataset_id, which is missing", fail);
}

/** Adds an issue for each container setting that is set. */
function refusePod(spec: Rollout | Dataset, why: string, fail: Fail): void {
  refuseSet(spec, POD_FIELDS, why, fail);
  for (const key of POD_COLLECTIONS) if (Object.keys(spec[key]).length > 0) fail(key, `${why}; leave it out`);
}

/** Checks a spec whose rewards come from rows and a rubric. */
function checkRows(spec: Rollout, fail: Fail): void {
  if (spec.rubric_file_path === null)
    fail(
      "rubric_file_path",
      "missing; a dataset's answers need a rubric (the file with the reward function)",
    );
  if (spec.max_turns !== null && spec.max_turns !== 1)
    fail("max_turns", `found ${spec.max_turns}; a dataset's rows have one turn`);
  const served = [
    "env_config",
    "mcp_tool",
    "request_timeout_s",
    "observation_field",
    "observation_processor",
  ] as const;
  refuseSet(spec, served, "belongs to environments, not to a dataset", fail);
  if (spec.action_field !== null && spec.action_field !== "message")
    fail("action_field", `found "${spec.action_field}"; a dataset has none but "message"`);
}

/** Checks a spec whose rewards come from an environment. */
function checkServed(spec: Rollout, fail: Fail): void {
  if (spec.rubric_file_path !== null)
    fail("rubric_file_path", "belongs to a dataset; an environment gives its own rewards; leave it out");
  if (spec.env_url !== null && spec.max_turns === null) fail("max_turns", "missing; env_url needs it");
  if (spec.env_packages !== null && (spec.entrypoint === null || Object.keys(spec.env_packages).length === 0))
    fail("env_packages", "needs entrypoint, and at least one list of packages");
  if (spec.env_hosts !== null && spec.entrypoint === null && spec.env_image === null)
    fail("env_hosts", "needs entrypoint or env_image");
  if (spec.env_config !== null && Object.hasOwn(spec.env_config, "env_id"))
    fail("env_config", "must not hold env_id; entrypoint names the environment");
  if (spec.observation_field !== null && spec.observation_processor !== null)
    fail("observation_processor", "given together with observation_field; keep one of the two");
  if (spec.env_image === null) refusePod(spec, "needs env_image", fail);
  if ((spec.env_sessions_per_host ?? 1) > 1 && Object.keys(spec.env_session_ports).length === 0)
    fail("env_session_ports", "missing; several sessions of a container need a port each");
  for (const name of Object.keys(spec.env_session_ports)) {
    if (Object.hasOwn(spec.env_vars, name))
      fail(
        "env_session_ports",
        `names ${name}, which env_vars sets too; a container's variable has one source`,
      );
  }
}

function checkRollout(spec: Rollout, context: z.core.$RefinementCtx): void {
  const fail = failIn(context);
  const rows = hasRows(spec);
  refuseHub(spec, fail);
  const sources = [rows, ...[spec.entrypoint, spec.env_url, spec.env_image].map((source) => source !== null)];
  if (spec.factory !== null && spec.entrypoint === null) fail("factory", "needs entrypoint to be set");
  if (sources.filter(Boolean).length !== 1) {
    fail("entrypoint", "exactly one source is needed: a dataset, entrypoint, env_url or env_image");
    return;
  }
  if (rows) checkRows(spec, fail);
  else checkServed(spec, fail);
  refuseSet(spec, ["fitness"], "belongs to labelled rows; the fitness of rollouts is their reward", fail);
}

const fitnessOf = ({ fitness, rubric_file_path, objective }: Dataset): DatasetFitness =>
  datasetFitness(objective ?? "sft", fitness, rubric_file_path !== null);

function checkDataset(spec: Dataset, context: z.core.$RefinementCtx): void {
  const fail = failIn(context);
  refuseHub(spec, fail);
  if (!hasRows(spec)) fail("dataset", "missing; expected dataset, dataset_path or hf_dataset_id");
  if (spec.objective === null)
    fail("objective", 'missing; expected "preference" (DPO), "unpaired" (KTO) or "sft" (SFT)');
  const why = "belongs to rollouts, not to labelled rows";
  refuseSet(spec, ["entrypoint", "env_url", "env_image"], why, fail);
  refusePod(spec, why, fail);
  const allowed: readonly DatasetFitness[] = DATASET_FITNESS[spec.objective ?? "sft"];
  const fitness = fitnessOf(spec);
  if (!allowed.includes(fitness))
    fail("fitness", `found "${fitness}"; objective ${spec.objective} allows ${allowed.join(", ")}`);
  if (fitness === "rubric" && spec.rubric_file_path === null)
    fail(
      "rubric_file_path",
      "missing; fitness rubric needs the file with the function that rewards an answer",
    );
  if (fitness !== "rubric")
    refuseSet(
      spec,
      ["rubric_file_path", "rubric_name", "reward_weights"],
      `has no effect with fitness ${fitness}`,
      fail,
    );
}

/** Defaults of a rollout environment that depend on its source. */
const rolloutDefaults = (spec: Rollout): Rollout =>
  hasRows(spec)
    ? {
        ...spec,
        train_test_split: spec.train_test_split ?? 0.9,
        rubric_name: spec.rubric_name ?? "reward_fn",
        max_turns: 1,
        strict_chat_template_boundary: spec.strict_chat_template_boundary ?? true,
      }
    : {
        ...spec,
        strict_chat_template_boundary: spec.strict_chat_template_boundary ?? true,
        action_field: spec.action_field ?? "message",
        ...(spec.env_image === null
          ? {}
          : {
              env_port: spec.env_port ?? 8000,
              cpus_per_env_host: spec.cpus_per_env_host ?? 0.01,
              env_sessions_per_host: spec.env_sessions_per_host ?? 1,
              env_host_ready_timeout_s: spec.env_host_ready_timeout_s ?? 600,
            }),
      };

const datasetDefaults = (spec: Dataset): Dataset => ({
  ...spec,
  train_test_split: spec.train_test_split ?? 0.9,
  response_column: spec.response_column ?? "response",
});

const madeRolloutEnvSpec: Prepared<typeof rolloutFields> = withAliases(
  rolloutFields.superRefine(checkRollout).overwrite(rolloutDefaults),
  ALIASES,
);
type RolloutEnvSpecMade = typeof madeRolloutEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface RolloutEnvSpecSchema extends RolloutEnvSpecMade {}

/** An environment in which a language model generates: rows with a rubric, or an environment with turns. */
export const RolloutEnvSpec: RolloutEnvSpecSchema = madeRolloutEnvSpec;
export type RolloutEnvSpec = Rollout;
export type RolloutEnvSpecInput = z.input<typeof rolloutFields>;

const madeDatasetEnvSpec: Prepared<typeof datasetFields> = withAliases(
  datasetFields.superRefine(checkDataset).overwrite(datasetDefaults),
  ALIASES,
);
type DatasetEnvSpecMade = typeof madeDatasetEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface DatasetEnvSpecSchema extends DatasetEnvSpecMade {}

/** Labelled rows that a language model learns from. */
export const DatasetEnvSpec: DatasetEnvSpecSchema = madeDatasetEnvSpec;
export type DatasetEnvSpec = Dataset;
export type DatasetEnvSpecInput = z.input<typeof datasetFields>;
