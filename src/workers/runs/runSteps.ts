import type { TrainingManifest } from "../../manifests/index.ts";
import type { RunRecord } from "../../storage/index.ts";
import { plannedSteps } from "../../training/plan.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { Runs } from "./Runs.ts";

/** Expected steps of the whole population at the end of a run that has taken `global_step` steps. */
export const stepsExpected = (manifest: TrainingManifest, seed: number, global_step: number): number =>
  plannedSteps(manifest, workloadOf(manifest).runs.prepare(manifest, seed), global_step);

/**
 * The steps that count towards `max_steps` of an ended run.
 * @throws Error if the run ends by its number of epochs.
 */
export async function stepsTaken(runs: Runs, { id, global_step }: RunRecord): Promise<number> {
  const manifest = await runs.manifest(id);
  const { seed } = await runs.catalog.stored(id);
  const { plan } = workloadOf(manifest).runs.prepare(manifest, seed);
  if (plan.finished)
    throw new Error("This run ends by its number of epochs; fork it with a manifest that has more epochs.");
  return plan.max_steps_of === "population"
    ? global_step
    : Math.ceil(global_step / manifest.training.pop_size);
}
