/** Starts runs of any workload, using only their definitions. */
import { SpecError, type TrainingManifest } from "../../manifests/index.ts";
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, StorageError } from "../../storage/index.ts";
import type { Member } from "../loop/Workload.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { seedOf } from "../plan/buildRun.ts";
import { type Start, startOf } from "../session/startOf.ts";
import type { ReadRun } from "../workloads/decodeRun.ts";
import { loadCheckpoint } from "../workloads/loadCheckpoint.ts";
import type { TrainerOptions } from "./Trainer.ts";

type StartingOptions = Pick<
  TrainerOptions,
  "seed" | "store" | "resume_from_checkpoint" | "load_weights_from"
> & {
  /** The member that the stage before this run ended with (default: none). */
  readonly before?: Member | null;
};

/** @throws SpecError listing the issues that keep the run from starting. */
export function requireWorkloadRuns({ runs }: WorkloadDefinition, manifest: TrainingManifest): void {
  const issues = runs.issues(manifest);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
}

/**
 * The start of a run of any workload, from its definition alone.
 * @throws StorageError for a checkpoint that cannot be read, or is from another workload.
 */
export async function workloadStart(
  definition: WorkloadDefinition,
  manifest: TrainingManifest,
  { seed, store: given, resume_from_checkpoint: path, load_weights_from: weights, before }: StartingOptions,
): Promise<Omit<Start, "isResumed">> {
  const own = seed ?? seedOf(manifest);
  const store = async (): Promise<FileStore> => given ?? (await defaultStore());
  if (!path && before) {
    const state = definition.runs.firstState(manifest, own);
    const next = await definition.runs.nextStage?.(state, manifest, own, before, await store());
    if (!next) throw new TypeError(`stages: runs of "${definition.name}" cannot be stages`);
    return { seed: own, state: next, warnings: [] };
  }
  const read = async (from: string) => savedRun(await store(), from, definition);
  const saved = path ? [{ name: path, read: () => read(path) }] : [];
  const load_weights_from = weights ?? manifest.training.load_weights_from;
  const begun = { ...manifest, training: { ...manifest.training, load_weights_from } };
  const start = await startOf({ definition, manifest: begun, seed: own, store, saved });
  return { ...start, seed: seed ?? start.seed };
}

async function savedRun(store: FileStore, path: string, { name }: WorkloadDefinition): Promise<ReadRun> {
  const loaded = await loadCheckpoint(store, path);
  if (loaded.kind === "run") return loaded.run;
  throw new StorageError("corrupt", path, `is an agent, allowed a run of "${name}"`);
}
