import type { RunRecord } from "../storage/index.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import type { Runs } from "./Runs.ts";

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
