import type { TrainingManifest } from "../../manifests/index.ts";
import { type FileStore, isStorageError, StorageError } from "../../storage/index.ts";
import type { RunState } from "../loop/Workload.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import type { ReadRun } from "../workloads/decodeRun.ts";

/** A saved boundary of a run. */
interface SavedBoundary {
  /** Its place, for errors. */
  readonly name: string;
  /** @throws StorageError if it cannot be read. */
  readonly read: () => Promise<ReadRun>;
}

interface StartRequest {
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  /** Seed of a run that starts at its beginning. */
  readonly seed: number;
  /** Store of the data that the run learns from, if any. */
  readonly store: () => FileStore | Promise<FileStore>;
  /** Saved boundaries, newest first (default: none). */
  readonly saved?: readonly SavedBoundary[];
  /** Called for a boundary that cannot be read, before the next one is tried (default: the error is thrown). */
  readonly onUnreadable?: (error: StorageError) => void;
}

/** The state that a run starts from. */
export interface Start {
  readonly state: RunState;
  /** Seed of the saved run, or of a run that starts at its beginning. */
  readonly seed: number;
  /** Whether the run goes on from a saved boundary. */
  readonly isResumed: boolean;
  /** Warnings about the data that the run learns from. */
  readonly warnings: readonly string[];
}

/**
 * Where a run starts: at its newest saved boundary that can be read, else at its beginning.
 * @throws StorageError for a boundary of another workload, or one that does not fit the manifest.
 */
export async function startOf(request: StartRequest): Promise<Start> {
  const { definition, manifest, store } = request;
  const { runs } = definition;
  const found = await newestOf(request);
  const { state, seed, name, told } = found ? { ...found, told: [] } : await beginning(request);
  const whole = await runs.withData?.(state, manifest, name, await store());
  return {
    state: whole?.state ?? state,
    seed,
    isResumed: found !== null,
    warnings: [...told, ...(whole?.warnings ?? [])],
  };
}

/** The state before the first generation, with the weights that the manifest names. */
async function beginning({ definition: { runs, name: workload }, manifest, seed, store }: StartRequest) {
  const state = runs.firstState(manifest, seed);
  const path = manifest.training.load_weights_from;
  if (path === null) return { state, seed, name: null, told: [] };
  if (!runs.withWeights)
    throw new TypeError(
      `load_weights_from: a run of "${workload}" cannot start from saved weights; leave it out`,
    );
  const { warnings: told, ...begun } = await runs.withWeights(state, manifest, seed, path, await store());
  return { ...begun, seed, name: null, told };
}

async function newestOf({ definition, manifest, saved = [], onUnreadable }: StartRequest) {
  for (const { name, read } of saved) {
    try {
      const run = await read();
      if (run.definition !== definition)
        throw new StorageError(
          "corrupt",
          name,
          `is a run of "${run.definition.name}", allowed a run of "${definition.name}"`,
        );
      return { state: definition.runs.fitted(run.state, manifest, name), seed: run.seed, name };
    } catch (error) {
      if (!onUnreadable || !isStorageError(error)) throw error;
      onUnreadable(error);
    }
  }
  return null;
}
