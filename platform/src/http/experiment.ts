/** A run as the API returns it. */
import { z } from "zod";
import {
  CHECKPOINT_FORMAT,
  CHECKPOINT_VERSION,
  COMMIT_FILE,
  encodeCommit,
} from "../../../src/hosting/index.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import type { CheckpointRow } from "../runs/checkpointRows.ts";
import { type RunRow, rewardSchema, runStatusSchema } from "../runs/RunRow.ts";

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

export const experimentSchema = z.object({
  experiment_id: z.string(),
  experiment_name: z.string(),
  project: z.string(),
  state: runStatusSchema,
  reason: z.string().nullable(),
  algorithm: z.string(),
  environment: z.string(),
  resource_id: z.string(),
  num_nodes: z.int().nullable(),
  seed: z.int(),
  reward_file: rewardSchema.omit({ size: true }).nullable(),
  generation: z.int(),
  global_step: z.int(),
  best_fitness: z.number().nullable(),
  has_elite: z.boolean(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
});

type Experiment = z.infer<typeof experimentSchema>;

export function experimentOf(run: RunRow): Experiment {
  const { algorithm, environment } = run.manifest;
  const { state, reason, project, resource_id, num_nodes, seed, generation, global_step, best_fitness } = run;
  return {
    experiment_id: run.id,
    experiment_name: run.name,
    project,
    state,
    reason,
    algorithm: algorithm.name,
    environment: environment.name,
    resource_id,
    num_nodes,
    seed,
    reward_file: run.reward && { name: run.reward.name, sha256: run.reward.sha256 },
    generation,
    global_step,
    best_fitness,
    has_elite: run.elite !== null,
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    ended_at: run.ended_at?.toISOString() ?? null,
  };
}
