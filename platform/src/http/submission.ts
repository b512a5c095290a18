/** Validates a submission before anything is stored. */
import { z } from "zod";
import { listEnvironments } from "../../../src/agents/index.ts";
import {
  LLM_WORKLOAD,
  reasonOf,
  requireTournament,
  seedOf,
  workloadIssues,
  workloadOf,
} from "../../../src/hosting/index.ts";
import { manifestToObject, parseManifest, type TrainingManifest } from "../../../src/manifests/index.ts";
import type { AskedDevice } from "../../../src/training/index.ts";
import { datasetField, uploadIn } from "../datasets/DatasetTable.ts";
import type { NewRun } from "../runs/RunTable.ts";
import { outsideIssues } from "../runs/requireInside.ts";
import { CPU_RESOURCE, RESOURCE_IDS, RESOURCES, type ResourceId } from "../worker/resources.ts";
import { refuse } from "./ApiError.ts";
import { nameSchema } from "./parseJson.ts";
import { type RewardFile, requireReward, rewardFileSchema } from "./rewardFile.ts";

/** Maximum number of machines per run. */
const MOST_NODES = 64;

/** Forms carry numbers as text. */
const countSchema = z.union([
  z.int().min(1),
  z
    .string()
    .regex(/^[1-9]\d*$/)
    .transform(Number),
]);

export const submissionSchema = z.strictObject({
  /** An object, or YAML or JSON text. */
  manifest: z.union([z.looseObject({}), z.string()]),
  resource_id: z.union([z.string(), z.int()]).nullish(),
  num_nodes: countSchema.nullish(),
  project: z.string().nullish(),
  experiment_name: nameSchema.nullish(),
  completion: z.string().nullish(),
  reward_file: rewardFileSchema.nullish(),
});

type Submission = z.infer<typeof submissionSchema>;

/** The properties of a new run that follow from its submission alone. */
export interface CheckedSubmission
  extends Pick<NewRun, "name" | "manifest" | "title" | "seed" | "resource_id" | "num_nodes"> {
  /** The reward module to store; null if there is none. */
  readonly reward_file: RewardFile | null;
  /** The uploaded data set that it learns from, with the field that names it; null if there is none. */
  readonly dataset: { readonly sha256: string; readonly field: string } | null;
}

/**
 * @param fetches Whether the operator lets runs download data sets.
 * @throws SpecError naming every invalid field of the manifest, or a feature that this platform lacks.
 */
export function checkSubmission(submission: Submission, fetches: boolean): CheckedSubmission {
  const { experiment_name = null, num_nodes = null, resource_id } = submission;
  const hasReward = Boolean(submission.reward_file);
  const manifest = parseManifest(submission.manifest, {
    environments: listEnvironments(),
    alsoCheck: (checked) => {
      const outside = outsideIssues(checked, { hasReward, fetches });
      return outside.length > 0 ? outside : workloadIssues(checked);
    },
  });
  requireTournament(manifest.selection_strategy);
  const reward_file = submission.reward_file ? requireReward(submission.reward_file, manifest) : null;
  if (num_nodes !== null && num_nodes > 1 && workloadOf(manifest).name === LLM_WORKLOAD)
    refuse("num_nodes", `found ${num_nodes}, allowed 1: members of a language model train on one machine`);
  const resource = requireResource(String(resource_id ?? CPU_RESOURCE), manifest, num_nodes);
  if (num_nodes !== null && num_nodes > MOST_NODES)
    refuse("num_nodes", `found ${num_nodes}, allowed 1 to ${MOST_NODES}`);
  const { algorithm, environment } = manifest;
  const sha256 = uploadIn(manifest);
  return {
    name: experiment_name,
    manifest: manifestToObject(manifest),
    title: `${algorithm.name}-${environment.name}`,
    seed: seedOf(manifest),
    resource_id: resource,
    num_nodes,
    reward_file,
    dataset: sha256 === null ? null : { sha256, field: datasetField(manifest) },
  };
}

/** @throws SpecError if the resource does not exist, or the run cannot train on it. */
function requireResource(asked_id: string, manifest: TrainingManifest, num_nodes: number | null): ResourceId {
  const resource = RESOURCE_IDS.find((id) => id === asked_id);
  if (resource === undefined)
    return refuse(
      "resource_id",
      `found "${asked_id}", allowed ${RESOURCE_IDS.map((id) => `"${id}"`).join(", ")}`,
    );
  const asked = RESOURCES[resource].device;
  const reason = deviceRefusal(manifest, asked);
  if (reason !== null) refuse("resource_id", `found "${resource}": ${reason}; allowed "${CPU_RESOURCE}"`);
  if (asked === "webgpu" && num_nodes !== null && num_nodes > 1)
    refuse(
      "num_nodes",
      `found ${num_nodes}, allowed 1: GPUs differ in their last bits, so a single GPU must train the whole run`,
    );
  return resource;
}

/** Why a run cannot train on a device, or null if it can. */
function deviceRefusal(manifest: TrainingManifest, asked: AskedDevice): string | null {
  try {
    const { device, notice } = workloadOf(manifest).runs.deviceOf(manifest, asked);
    return device === asked ? null : (notice ?? `it trains on ${device}`);
  } catch (error) {
    return reasonOf(error);
  }
}
