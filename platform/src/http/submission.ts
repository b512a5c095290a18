/** What a client submits, checked before anything is kept. */
import { z } from "zod";
import { RUBRIC_NAMES } from "../../../src/llm/environments/rubrics.ts";
import { requireTournament } from "../../../src/remote/manifestPayload.ts";
import { manifestToObject, SpecError, type TrainingManifest } from "../../../src/specs/index.ts";
import { reasonOf } from "../../../src/storage/storageError.ts";
import type { TrainingDevice } from "../../../src/training/executors/device.ts";
import { LLM_WORKLOAD } from "../../../src/training/llm/kinds.ts";
import { seedOf } from "../../../src/training/plan/buildRun.ts";
import { workloadOf } from "../../../src/training/workloads/registry.ts";
import { parseInput } from "../../../src/workers/parseInput.ts";
import type { NewRun } from "../runs/RunTable.ts";
import { CPU_RESOURCE, RESOURCE_IDS, RESOURCES, type ResourceId } from "../worker/resources.ts";
import { requireBuiltIn } from "./languageModelJob.ts";
import { nameSchema } from "./names.ts";

/** Machines of one run. */
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
  reward_file: z.looseObject({ name: z.string() }).nullish(),
});

export type Submission = z.infer<typeof submissionSchema>;

/** What of a new run follows from its submission alone. */
export type CheckedSubmission = Pick<
  NewRun,
  "name" | "manifest" | "title" | "seed" | "resource_id" | "num_nodes"
>;

const refuse = (path: string, message: string): never => {
  throw new SpecError([{ code: "unsupported", path, segments: [path], message }], "submission");
};

/** @throws SpecError naming every field of the manifest that is not right, or what this platform does not do. */
export async function checkSubmission(submission: Submission): Promise<CheckedSubmission> {
  const { experiment_name = null, num_nodes = null, resource_id, reward_file } = submission;
  const manifest = await parseInput(submission.manifest, null);
  requireTournament(manifest.selection_strategy);
  const isLanguageModel = workloadOf(manifest).name === LLM_WORKLOAD;
  if (reward_file) refuse("reward_file", rewardRefusal(reward_file.name, isLanguageModel));
  if (isLanguageModel) requireBuiltIn(manifest, num_nodes);
  const resource = requireResource(String(resource_id ?? CPU_RESOURCE), manifest, num_nodes);
  if (num_nodes !== null && num_nodes > MOST_NODES)
    refuse("num_nodes", `found ${num_nodes}, allowed 1 to ${MOST_NODES}`);
  const { algorithm, environment } = manifest;
  return {
    name: experiment_name,
    manifest: manifestToObject(manifest),
    title: `${algorithm.name}-${environment.name}`,
    seed: seedOf(manifest),
    resource_id: resource,
    num_nodes,
  };
}

/** @throws SpecError for a resource that does not exist, or that this run cannot train on. */
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
      `found ${num_nodes}, allowed 1: GPUs differ in the last bits, so one trains all of a run`,
    );
  return resource;
}

/** Why a run does not train on a device; null where it does. */
function deviceRefusal(manifest: TrainingManifest, asked: TrainingDevice): string | null {
  try {
    const { device, notice } = workloadOf(manifest).runs.deviceOf(manifest, asked);
    return device === asked ? null : (notice ?? `it trains on ${device}`);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Why a reward module is not taken. */
function rewardRefusal(name: string, isLanguageModel: boolean): string {
  const found = `found ${name}`;
  if (/\.py$/i.test(name))
    return `${found}, which is Python; this platform does not run Python: leave it out`;
  if (!isLanguageModel) return `${found}, for which reinforcement learning has no use: leave it out`;
  return `${found}; this platform runs no reward modules: name a built-in rubric in environment.rubric_file_path (${RUBRIC_NAMES.join(", ")}), or train it by rlkit train`;
}
