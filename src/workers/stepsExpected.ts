import type { TrainingManifest } from "../specs/index.ts";
import { expectedSteps, type Member } from "../training/loop.ts";
import { workloadOf } from "../training/workloads/registry.ts";

/** Expected steps of the whole population at the end of a run that has taken `global_step` steps. */
export function stepsExpected(manifest: TrainingManifest, seed: number, global_step: number): number {
  const { pop_size } = manifest.training;
  const { plan, workload } = workloadOf(manifest).runs.prepare(manifest, seed);
  // Only numbers of the algorithm's section are read.
  const hyperparameters = { ...manifest.algorithm } as Member["hyperparameters"];
  const members = Array.from({ length: pop_size }, () => ({
    steps: global_step / pop_size,
    hyperparameters,
  }));
  return expectedSteps(plan, members, workload.generationSteps?.bind(workload));
}
