/** The files of a checkpoint directory that `rlkit train --resume` reads. */
import {
  CHECKPOINT_FORMAT,
  CHECKPOINT_VERSION,
  COMMIT_FILE,
  encodeCommit,
} from "../../../src/storage/checkpoints.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import type { CheckpointRow } from "../runs/checkpointRows.ts";

/**
 * Yields the checkpoint's files by path, the commit record last.
 * @throws StorageError if an artifact is missing.
 */
export async function* checkpointFiles(
  { generation, global_step, fitness, files, created_at }: CheckpointRow,
  artifacts: ArtifactStore,
): AsyncGenerator<readonly [path: string, bytes: Uint8Array]> {
  for (const [path, { sha256 }] of Object.entries(files)) yield [path, await artifacts.get(sha256)];
  const at = created_at.getTime();
  const record = {
    format: CHECKPOINT_FORMAT,
    version: CHECKPOINT_VERSION,
    sequence: at,
    generation,
    global_step,
    spec_hash: "",
    fitness,
    at,
    files: Object.entries(files).map(([path, artifact]) => ({ path, ...artifact })),
  } as const;
  yield [COMMIT_FILE, await encodeCommit(record, `generation ${generation}`)];
}

/** URL path of a checkpoint's zip file. */
export const checkpointPath = (run: string, generation: number): string =>
  `/v1/runs/${run}/checkpoints/${checkpointName(generation)}.zip`;

export const checkpointName = (generation: number): string => `generation_${generation}`;

/** The generation in a checkpoint's file name, or null if it is not such a name. */
export function generationOf(file: string): number | null {
  const digits = /^generation_(\d{1,9})\.zip$/.exec(file)?.[1];
  return digits === undefined ? null : Number(digits);
}
