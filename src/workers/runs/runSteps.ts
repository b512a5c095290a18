import type { TrainingManifest } from "../../manifests/index.ts";
import type { RunRecord } from "../../storage/index.ts";
import { expectedSteps, type Member } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { Runs } from "./Runs.ts";

/** Expected steps of the whole population at the end of a run that has taken `global_step` steps. */
export function stepsExpected(manifest: TrainingManifest, seed: number, global_step: number): number {
  const { pop_size } = manifest.training;
  const { plan, workload, selection } = workloadOf(manifest).runs.prepare(manifest, seed);
  // Only numbers of the algorithm's section are read.
  const hyperparameters = { ...manifest.algorithm } as Member["hyperparameters"];
  const members = Array.from({ length: pop_size }, () => ({
    steps: global_step / pop_size,
    hyperparameters,
  }));
  const stepsOf = workload.generationSteps?.bind(workload);
  // Generations done are not known here, so a run that has begun counts as if all its members went on.
  const activeIn = (ahead: number): number =>
    global_step === 0 ? (selection?.activeIn?.(ahead + 1) ?? pop_size) : pop_size;
  return expectedSteps(plan, members, stepsOf, activeIn);
}

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
