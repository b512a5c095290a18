/** Trains a run of any workload, using only its definition. */
import { manifestToObject, SpecError, type TrainingManifest } from "../../specs/index.ts";
import { type FileStore, StorageError } from "../../storage/index.ts";
import type { Accelerator } from "../executors/Accelerator.ts";
import { makeExecutor } from "../executors/makeExecutor.ts";
import { defaultStore } from "../loop/defaultStore.ts";
import type { TrainingObserver } from "../loop/observer.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import type { AskedDevice, RunOptions, WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import type { MakeTrackers } from "../options/trackerOptions.ts";
import type { OutputOptions } from "../session/DirectorySink.ts";
import { type Start, startOf } from "../session/startOf.ts";
import { type TrainingOutcome, type TrainingParts, trainSession } from "../session/trainSession.ts";
import type { ReadRun } from "../workloads/decodeRun.ts";
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
  readonly sinkAround: TrainingParts["sinkAround"];
}

/** @throws SpecError listing the issues that keep the run from starting. */
export function requireWorkloadRuns({ runs }: WorkloadDefinition, manifest: TrainingManifest): void {
  const issues = runs.issues(manifest);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
}

/**
 * @throws StorageError for a checkpoint that cannot be read, or is from another workload; also the errors of
 *   `trainSession`.
 */
export async function trainWorkload(run: WorkloadRun): Promise<TrainingOutcome> {
  const { definition, manifest, device, accelerator, warnings } = run;
  const { state, seed, warnings: ofWeights } = await beginning(run);
  const { runs } = definition;
  return trainSession({
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

async function beginning(run: WorkloadRun): Promise<Omit<Start, "isResumed">> {
  const { definition, manifest, seed, resume_from_checkpoint: path, load_weights_from: weights } = run;
  const own = seed ?? run.freshSeed;
  const store = run.store ?? (await defaultStore());
  if (path === null && weights !== null) {
    if (!definition.runs.withWeights)
      throw new TypeError(
        `load_weights_from: a run of "${definition.name}" cannot start from saved weights; leave it out`,
      );
    const state = definition.runs.firstState(manifest, own);
    return { seed: own, ...(await definition.runs.withWeights(state, manifest, own, weights, store)) };
  }
  const saved = path === null ? [] : [{ name: path, read: () => savedRun(store, path, definition) }];
  const start = await startOf({ definition, manifest, seed: own, store, saved });
  return { ...start, seed: seed ?? start.seed };
}

async function savedRun(store: FileStore, path: string, { name }: WorkloadDefinition): Promise<ReadRun> {
  const loaded = await loadCheckpoint(store, path);
  if (loaded.kind === "run") return loaded.run;
  throw new StorageError("corrupt", path, `is an agent, allowed a run of "${name}"`);
}
