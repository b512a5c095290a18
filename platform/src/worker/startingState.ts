/** The starting point of a claimed run: its newest readable checkpoint, else the beginning. */
import { decodeRun, reasonOf, startOf, workloadOf } from "../../../src/hosting/index.ts";
import { parseManifestObject, type TrainingManifest } from "../../../src/manifests/index.ts";
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import type { ModuleTexts, WorkloadDefinition } from "../../../src/training/index.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import { uploadIn, uploadPath } from "../datasets/DatasetTable.ts";
import type { ClaimedRun } from "../runs/ClaimedRun.ts";
import type { CheckpointRow } from "../runs/checkpointRows.ts";
import type { RewardModule } from "../runs/RunRow.ts";
import { requireInside } from "../runs/requireInside.ts";

export interface StartingPoint extends Pick<Awaited<ReturnType<typeof startOf>>, "state" | "warnings"> {
  readonly manifest: TrainingManifest;
  readonly definition: WorkloadDefinition;
  /** Modules that were submitted with the manifest. Absent if there are none. */
  readonly modules?: ModuleTexts;
}

interface WorkerFiles {
  readonly artifacts: ArtifactStore;
  /** File store of the data sets that runs learn from. */
  readonly files: FileStore;
  /** Whether runs may download data sets from the hub. */
  readonly fetches: boolean;
}

/** @throws SpecError, also for a manifest that names files of this machine; StorageError. */
export async function startingState(
  run: Pick<ClaimedRun, "row" | "checkpoints">,
  { artifacts, files, fetches }: WorkerFiles,
): Promise<StartingPoint> {
  const manifest = parseManifestObject(run.row.manifest);
  requireInside(manifest, { hasReward: run.row.reward !== null, fetches });
  const definition = workloadOf(manifest);
  const unreadable: string[] = [];
  const saved = (await run.checkpoints()).map((checkpoint) => {
    const name = `generation ${checkpoint.generation}`;
    return { name, read: async () => decodeRun(await filesOf(checkpoint, artifacts), name) };
  });
  const modules = await rewardOf(run.row.reward, manifest, artifacts);
  const { state, warnings } = await startOf({
    definition,
    manifest,
    seed: run.row.seed,
    store: () => dataOf(manifest, { artifacts, files }),
    saved,
    onUnreadable: (error) => unreadable.push(`an unreadable checkpoint was skipped: ${reasonOf(error)}`),
  });
  return {
    manifest,
    definition,
    state,
    ...(modules && { modules }),
    warnings: [...unreadable, ...definition.runs.warnings(manifest), ...warnings],
  };
}

/**
 * The store of a run's data set: memory with the uploaded file, or the worker's directory.
 * @throws StorageError if the upload is missing or was changed.
 */
async function dataOf(
  manifest: TrainingManifest,
  { artifacts, files }: Pick<WorkerFiles, "artifacts" | "files">,
): Promise<FileStore> {
  const sha256 = uploadIn(manifest);
  if (sha256 === null) return files;
  const store = memoryFileStore();
  await store.write(uploadPath(sha256), await artifacts.get(sha256));
  return store;
}

/**
 * A run's reward module, by its path in the manifest.
 * @throws StorageError if it is missing or was changed.
 */
async function rewardOf(
  reward: RewardModule | null,
  { environment }: TrainingManifest,
  artifacts: ArtifactStore,
): Promise<ModuleTexts | null> {
  if (!reward || environment.env_type !== "rollout" || environment.rubric_file_path === null) return null;
  return { [environment.rubric_file_path]: new TextDecoder().decode(await artifacts.get(reward.sha256)) };
}

/** A checkpoint's files by path. @throws StorageError if one is missing or was changed. */
async function filesOf(
  { files }: Pick<CheckpointRow, "files">,
  artifacts: ArtifactStore,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const [path, { sha256 }] of Object.entries(files)) found.set(path, await artifacts.get(sha256));
  return found;
}
