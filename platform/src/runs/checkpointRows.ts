/** The checkpoints of runs, and the artifacts of their files. */
import { z } from "zod";
import type { Query } from "../database/Database.ts";
import { artifactSchema } from "./RunRow.ts";

const rowSchema = z.object({
  generation: z.int(),
  global_step: z.coerce.number(),
  fitness: z.number().nullable(),
  /** Artifacts by the path of the checkpoint's file. */
  files: z.record(z.string(), artifactSchema),
  created_at: z.date(),
});

export type CheckpointRow = z.infer<typeof rowSchema>;

const COLUMNS = Object.keys(rowSchema.shape).join(", ");

export interface NewCheckpoint extends Omit<CheckpointRow, "created_at"> {
  readonly attempt: number;
}

/** Adds a checkpoint, unless the run already has one of this generation, which is equal. */
export async function insertCheckpoint(query: Query, run: string, checkpoint: NewCheckpoint): Promise<void> {
  const { generation, global_step, fitness, attempt, files } = checkpoint;
  await query(
    `INSERT INTO checkpoints (run, generation, global_step, fitness, attempt, files)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [run, generation, global_step, fitness, attempt, JSON.stringify(files)],
  );
}

/** A run's checkpoints, oldest first. */
export async function checkpointsOf(query: Query, run: string): Promise<CheckpointRow[]> {
  const rows = await query(`SELECT ${COLUMNS} FROM checkpoints WHERE run = $1 ORDER BY generation`, [run]);
  return rows.map((row) => rowSchema.parse(row));
}

/** Deletes all but the `keep` newest checkpoints of each run. */
export async function dropOldCheckpoints(query: Query, keep: number): Promise<void> {
  await query(
    `DELETE FROM checkpoints USING (
       SELECT run, generation, row_number() OVER (PARTITION BY run ORDER BY generation DESC) AS age FROM checkpoints
     ) AS ranked
     WHERE checkpoints.run = ranked.run AND checkpoints.generation = ranked.generation AND ranked.age > $1`,
    [keep],
  );
}
