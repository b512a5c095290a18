import type { TrainingManifest } from "../specs/index.ts";
import type { RunRecord, RunStore } from "../storage/index.ts";
import type { RunState } from "../training/loop/runState.ts";
import { decodeRun } from "../training/workloads/decodeRun.ts";
import { workloadOf } from "../training/workloads/registry.ts";

/** Where a stored run goes on: from its newest checkpoint that can be read, else from the beginning. */
export async function lastState(
  store: RunStore,
  { id, checkpoint }: RunRecord,
  manifest: TrainingManifest,
  seed: number,
): Promise<{ state: RunState; saved: number; skipped: readonly string[] }> {
  const { runs } = workloadOf(manifest);
  const latest = await store.latestCheckpoint(id);
  if (latest) {
    const { state } = decodeRun(latest.files, latest.dir);
    const fitted = runs.fitted(state, manifest, latest.dir);
    return { state: fitted, saved: state.generation, skipped: latest.skipped };
  }
  if (checkpoint) {
    throw new Error(
      "None of this run's checkpoints can be read any more, so it cannot go on; start a new run with the same manifest.",
    );
  }
  return { state: runs.firstState(manifest, seed), saved: 0, skipped: [] };
}
