/** A run as the API returns it. */
import { z } from "zod";
import { type RunRow, rewardSchema, runStatusSchema } from "../runs/RunRow.ts";

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

export type Experiment = z.infer<typeof experimentSchema>;

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
