/** A run as the platform keeps it. */
import { z } from "zod";
import { RESOURCE_IDS } from "../worker/resources.ts";

/** `queued` waits for a worker; the last three have ended. */
export const runStatusSchema = z.enum(["queued", "running", "paused", "stopped", "finished", "failed"]);

export type RunStatus = z.infer<typeof runStatusSchema>;

export const ENDED: readonly RunStatus[] = ["stopped", "finished", "failed"];

export const isEnded = (state: RunStatus): boolean => ENDED.includes(state);

/** What its owner wants of it. */
export const desiredSchema = z.enum(["run", "pause", "stop"]);

export type Desired = z.infer<typeof desiredSchema>;

/** Where an artifact's bytes are found, and how many they are. */
export const artifactSchema = z.object({ sha256: z.string(), size: z.int() });

export type Artifact = z.infer<typeof artifactSchema>;

/** A reward module: what its file is called, and where its bytes are found. */
export const rewardSchema = artifactSchema.extend({ name: z.string() });

export type RewardModule = z.infer<typeof rewardSchema>;

const named = z.looseObject({ name: z.string() });

export const runRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  /** The object form. */
  manifest: z.looseObject({ algorithm: named, environment: named }),
  seed: z.coerce.number(),
  resource_id: z.enum(RESOURCE_IDS),
  num_nodes: z.int().nullable(),
  /** Scores its completions, in place of the file that the manifest names; null where it brought none. */
  reward: rewardSchema.nullable(),
  state: runStatusSchema,
  desired: desiredSchema,
  /** Why it is as it is, where there is something to say. */
  reason: z.string().nullable(),
  /** How often it was put into the queue: once, and once for each resuming. */
  launch: z.int(),
  /** How often a worker has claimed it. */
  attempt: z.int(),
  worker: z.string().nullable(),
  last_seq: z.coerce.number(),
  generation: z.int(),
  global_step: z.coerce.number(),
  best_fitness: z.number().nullable(),
  progress: z.looseObject({}).nullable(),
  elite: artifactSchema.nullable(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  ended_at: z.date().nullable(),
});

export type RunRow = z.infer<typeof runRowSchema>;

export const RUN_COLUMNS = Object.keys(runRowSchema.shape).join(", ");

/** Name of the channel that tells, by the run's id, that a run's row or its events changed. */
export const RUNS_CHANNEL = "rlkit_runs";
