import type { TrainingManifest } from "../specs/index.ts";
import type { FileStore, RunRecord, RunStore } from "../storage/index.ts";
import type { RunState } from "../training/loop.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { decodeRun } from "../training/workloads.ts";

/**
 * The state from which a stored run resumes: its newest readable checkpoint, else the beginning. The result
 * includes messages for the user.
 */
export async function lastState(
  { runStore, files }: { readonly runStore: RunStore; readonly files: FileStore },
  { id, checkpoint }: RunRecord,
  manifest: TrainingManifest,
  seed: number,
): Promise<{ state: RunState; saved: number; skipped: readonly string[]; warnings: readonly string[] }> {
  const { runs } = workloadOf(manifest);
  const latest = await runStore.latestCheckpoint(id);
  if (latest) {
    const { state } = decodeRun(latest.files, latest.dir);
    const fitted = runs.fitted(state, manifest, latest.dir);
    const whole = await runs.withData?.(fitted, manifest, latest.dir, files);
    return { state: whole?.state ?? fitted, saved: state.generation, skipped: latest.skipped, warnings: [] };
  }
  if (checkpoint) {
    throw new Error(
      "None of this run's checkpoints can be read any more, so it cannot continue; start a new run with the same manifest.",
    );
  }
  const first = runs.firstState(manifest, seed);
  const whole = await runs.withData?.(first, manifest, null, files);
  return { state: whole?.state ?? first, saved: 0, skipped: [], warnings: whole?.warnings ?? [] };
}
