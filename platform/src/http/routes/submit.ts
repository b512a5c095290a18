import { Readable } from "node:stream";
import type { ArtifactStore } from "../../artifacts/ArtifactStore.ts";
import { uploadPath } from "../../datasets/DatasetTable.ts";
import type { RewardModule } from "../../runs/RunRow.ts";
import type { SubmittedRun } from "../../runs/RunTable.ts";
import { ApiError, refuse } from "../ApiError.ts";
import { sizeOf } from "../receive.ts";
import type { RewardFile } from "../rewardFile.ts";
import { type Route, route, SENT } from "../route.ts";
import { requireProject, type Services } from "../Services.ts";
import { type CheckedSubmission, checkSubmission, submissionSchema } from "../submission.ts";

/** Maximum size of a body in bytes: a manifest, and a reward file of 256 KiB. */
const BODY_LIMIT = 1024 * 1024;

const LONGEST_KEY = 200;

/** @throws ApiError 400 if the key is too long. */
function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header);
  if (text.length <= LONGEST_KEY) return text;
  throw new ApiError(400, `Idempotency-Key: found ${text.length} characters, allowed ${LONGEST_KEY}`);
}

/** The lines of a submission's response stream. */
function* lines({ run, isNew }: SubmittedRun): Generator<string> {
  const line = (status: string, message: string, detail: object = {}): string =>
    `${JSON.stringify({ kind: "status", stage: "submit", status, message, detail })}\n`;
  yield line("validating", "The manifest is valid.");
  yield line("queued", isNew ? "The run is waiting for a worker." : "The run was submitted before.");
  yield line("completed", `The run is ${run.name}.`, { experiment_id: run.id, experiment_name: run.name });
}

/** Stores the module before the row that refers to it. Unreferenced artifacts are deleted after a day. */
const kept = async (artifacts: ArtifactStore, { name, bytes }: RewardFile): Promise<RewardModule> => ({
  name,
  sha256: await artifacts.put(bytes),
  size: bytes.length,
});

/** @throws SpecError for a data set that the project has no upload of. */
async function requireUpload(
  { datasets, artifacts }: Pick<Services, "datasets" | "artifacts">,
  project: string,
  { sha256, field }: NonNullable<CheckedSubmission["dataset"]>,
): Promise<void> {
  const isThere = (await datasets.has(project, sha256)) && (await sizeOf(artifacts.fileOf(sha256))) !== null;
  if (isThere) return;
  refuse(
    field,
    `found "${uploadPath(sha256)}", of which the project "${project}" has no upload; send the file with PUT /v1/datasets/${sha256}`,
  );
}

export const submitRoutes = (services: Services): readonly Route[] => [
  route({
    method: "POST",
    path: "/api/cli/v1/experiments/jobs/submit",
    summary: "Submits a run. Requests with the same Idempotency-Key header submit it only once.",
    scope: "submit",
    reach: "project",
    bodyLimit: BODY_LIMIT,
    body: submissionSchema,
    answerType: "application/x-ndjson",
    handle: async ({ body, key, request, reply }) => {
      const { runs, queue, artifacts, submissions, fetches, log } = services;
      submissions.check(key.id, "submissions and uploads");
      const project = await requireProject(services, key, body.project ?? null);
      const { reward_file, dataset, ...checked } = checkSubmission(body, fetches);
      if (dataset !== null) await requireUpload(services, project, dataset);
      const submitted = await runs.submit({
        ...checked,
        reward: reward_file && (await kept(artifacts, reward_file)),
        project,
        key: key.id,
        idempotency_key: idempotencyKey(request.headers["idempotency-key"]),
      });
      if (submitted.isNew) submissions.count(key.id);
      const { id, launch, resource_id } = submitted.run;
      // The row is authoritative: the reconciler adds a run that is missing from the queue.
      await queue.add({ run: id, launch, resource_id }).catch((error: unknown) => {
        log(`run ${id} could not be queued yet: ${error instanceof Error ? error.message : String(error)}`);
      });
      await reply.type("application/x-ndjson").send(Readable.from(lines(submitted)));
      return SENT;
    },
  }),
];
