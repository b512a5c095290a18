/** Trains a run of any workload, using only its definition. */
import { manifestToObject, SpecError, type TrainingManifest } from "../../specs/index.ts";
import { type FileStore, StorageError } from "../../storage/index.ts";
import type { Accelerator } from "../executors/Accelerator.ts";
import { makeExecutor } from "../executors/makeExecutor.ts";
import { defaultStore } from "../loop/defaultStore.ts";
import type { TrainingObserver } from "../loop/observer.ts";
import type { RunState } from "../loop/runState.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import {
  type MakeTrackers,
  type OutputOptions,
  type TrainingOutcome,
  trainWithOutputs,
} from "../loop/trainWithOutputs.ts";
import type { AskedDevice, RunOptions, WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { loadCheckpoint } from "../workloads/loadCheckpoint.ts";

export interface WorkloadRun extends OutputOptions {
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  readonly device: AskedDevice;
  readonly accelerator: Accelerator | null;
  /** Seed of a run without a checkpoint. */
  readonly freshSeed: number;
  /** The caller's seed; undefined uses that of the checkpoint. */
  readonly seed: number | undefined;
  readonly resume_from_checkpoint: string | null;
  readonly load_weights_from: string | null;
  readonly options?: RunOptions;
  /** Emitted before training starts. */
  readonly warnings: readonly string[];
  readonly store: FileStore | undefined;
  readonly observer: TrainingObserver | undefined;
  readonly trackers: MakeTrackers | undefined;
  readonly onRun: ((run: TrainingRun) => void) | undefined;
}

/** @throws SpecError listing the issues that keep the run from starting. */
export function requireWorkloadRuns({ runs }: WorkloadDefinition, manifest: TrainingManifest): void {
  const issues = runs.issues(manifest);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
}

/**
 * @throws StorageError for a checkpoint that cannot be read, or is from another workload; also the errors of
 *   `trainWithOutputs`.
 */
export async function trainWorkload(run: WorkloadRun): Promise<TrainingOutcome> {
  const { definition, manifest, device, accelerator, warnings } = run;
  const { state, seed, warnings: ofWeights } = await startOf(run);
  const { runs } = definition;
  return trainWithOutputs({
    ...run,
    ...runs.prepare(manifest, seed, state.members.length, run.options),
    state,
    seed,
    files: definition.files,
    facts: runs.facts(manifest),
    environment: manifest.environment.name,
    algorithm: manifest.algorithm.name,
    makeExecutor: (onNotice) => makeExecutor({ definition, device, accelerator, onNotice }),
    warnings: [...warnings, ...runs.warnings(manifest), ...ofWeights],
    manifest: manifestToObject(manifest),
  });
}

interface Start {
  readonly state: RunState;
  readonly seed: number;
  readonly warnings: readonly string[];
}

async function startOf(run: WorkloadRun): Promise<Start> {
  const { definition, manifest, seed, freshSeed, resume_from_checkpoint: path } = run;
  if (path === null) {
    const own = seed ?? freshSeed;
    const state = definition.runs.firstState(manifest, own);
    const { load_weights_from: weights } = run;
    if (weights === null) return { state, seed: own, warnings: [] };
    if (!definition.runs.withWeights)
      throw new TypeError(
        `load_weights_from: a run of "${definition.name}" cannot start from saved weights; leave it out`,
      );
    const store = run.store ?? (await defaultStore());
    const begun = await definition.runs.withWeights(state, manifest, own, weights, store);
    return { seed: own, ...begun };
  }
  const loaded = await loadCheckpoint(run.store ?? (await defaultStore()), path);
  if (loaded.kind !== "run" || loaded.run.definition !== definition) {
    const found = loaded.kind === "run" ? `a run of "${loaded.run.definition.name}"` : "an agent";
    throw new StorageError("corrupt", path, `is ${found}, allowed a run of "${definition.name}"`);
  }
  const { state, seed: saved } = loaded.run;
  return { state: definition.runs.fitted(state, manifest, path), seed: seed ?? saved, warnings: [] };
}
