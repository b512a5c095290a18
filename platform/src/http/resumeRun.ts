/** Resumes a run that is paused or has ended. */
import { trainedManifest, workloadOf } from "../../../src/hosting/index.ts";
import { manifestToObject, parseManifestObject, SpecError } from "../../../src/manifests/index.ts";
import { isEnded, type RunRow } from "../runs/RunRow.ts";
import { ConflictError } from "../runs/RunTable.ts";
import { RESOURCES } from "../worker/resources.ts";
import type { Services } from "./Services.ts";

/**
 * @param max_steps The run's new step budget; null keeps the old one.
 * @throws ConflictError if the run is finished and `max_steps` is null; SpecError if `max_steps` is not more
 * than the steps already taken.
 */
export async function resumeRun(
  { runs, queue }: Pick<Services, "runs" | "queue">,
  run: RunRow,
  max_steps: number | null,
): Promise<RunRow> {
  if (!isEnded(run.state) && max_steps === null) return runs.want(run.id, "run");
  if (run.state === "finished" && max_steps === null)
    throw new ConflictError(`run ${run.name}: it is finished; give max_steps to train longer`);
  if (max_steps !== null) requireMore(run, max_steps);
  const relaunched = await runs.relaunch(run.id, manifestFor(run, max_steps));
  await queue.add({ run: run.id, launch: relaunched.launch, resource_id: run.resource_id });
  return relaunched;
}

/** The manifest with `max_steps`. It is returned unchanged if it already has that number. */
function manifestFor({ manifest, seed, resource_id }: RunRow, max_steps: number | null): object {
  if (max_steps === null || parseManifestObject(manifest).training.max_steps === max_steps) return manifest;
  return manifestToObject(
    trainedManifest({ manifest, seed, device: RESOURCES[resource_id].device }, max_steps),
  );
}

/** @throws SpecError unless `max_steps` is more than the run's members have already taken. */
function requireMore(run: RunRow, max_steps: number): void {
  const manifest = parseManifestObject(run.manifest);
  const { plan } = workloadOf(manifest).runs.prepare(manifest, run.seed);
  const population = plan.max_steps_of === "population" ? 1 : manifest.training.pop_size;
  const taken = Math.ceil(run.global_step / population);
  if (max_steps > taken) return;
  const message = `found ${max_steps}, allowed more than ${taken}, the steps that its members have already taken`;
  throw new SpecError([{ code: "range", path: "max_steps", segments: ["max_steps"], message }], "request");
}
