/** A run as the database stores it. */
import { z } from "zod";
import { RESOURCE_IDS } from "../worker/resources.ts";

/** A `queued` run waits for a worker. The last three states are final. */
export const runStatusSchema = z.enum(["queued", "running", "paused", "stopped", "finished", "failed"]);

export type RunStatus = z.infer<typeof runStatusSchema>;

export const ENDED: readonly RunStatus[] = ["stopped", "finished", "failed"];

export const isEnded = (state: RunStatus): boolean => ENDED.includes(state);

/** The state that the run's owner wants. */
export const desiredSchema = z.enum(["run", "pause", "stop"]);

export type Desired = z.infer<typeof desiredSchema>;

/** Hash and size of an artifact. */
export const artifactSchema = z.object({ sha256: z.string(), size: z.int() });

export type Artifact = z.infer<typeof artifactSchema>;

/** A reward module: its file name and its artifact. */
export const rewardSchema = artifactSchema.extend({ name: z.string() });

export type RewardModule = z.infer<typeof rewardSchema>;

const named = z.looseObject({ name: z.string() });

export const runRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  /** Object form of the manifest. */
  manifest: z.looseObject({ algorithm: named, environment: named }),
  seed: z.coerce.number(),
  resource_id: z.enum(RESOURCE_IDS),
  num_nodes: z.int().nullable(),
  /**
   * Module that scores completions, used for the file that the manifest names; null if none was submitted.
   */
  reward: rewardSchema.nullable(),
  state: runStatusSchema,
  desired: desiredSchema,
  /** Reason for the state; null if there is none. */
  reason: z.string().nullable(),
  /** How often it was queued: once, and once per resume. */
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

/** Name of the channel that notifies of changes to a run's row or events. The payload is the run's ID. */
export const RUNS_CHANNEL = "rlkit_runs";
