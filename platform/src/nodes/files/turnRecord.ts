/** A member's turn as JSON. Its agent, lanes and priorities are artifacts. */
import { z } from "zod";
import { sha256Schema } from "../../artifacts/ArtifactStore.ts";

const count = z.int().nonnegative();
const size = z.int().positive();

const ring = z.strictObject({ position: count, count });

export const turnRecordSchema = z.strictObject({
  agent: sha256Schema,
  turn: z.strictObject({
    slot: count,
    generation: count,
    seed: z.int(),
    num_envs: size,
    evo_steps: size,
    eval_loop: count,
    first_pass: count.exactOptional(),
    eval_steps: size.nullable(),
    sum_scores: z.boolean().exactOptional(),
    mean_rewards: z.literal(true).exactOptional(),
    schedule: z.strictObject({ progress: z.number(), progress_step: z.number() }).exactOptional(),
    fqe: z.strictObject({ steps: size, lr: z.number(), gamma: z.number() }).exactOptional(),
    evaluates: z.literal(true).exactOptional(),
    tells_episodes: z.literal(true).exactOptional(),
    lanes: sha256Schema.nullable().exactOptional(),
    off_policy: z
      .strictObject({
        offline: z.literal(true).exactOptional(),
        epsilon: z.number(),
        eps_end: z.number(),
        eps_decay: z.number(),
        learning_delay: z.number(),
        earned: z.number().exactOptional(),
        ring,
        visible: z.array(z.strictObject({ start: count, length: count })),
        priorities: z
          .strictObject({
            leaves: sha256Schema,
            largest: z.number(),
            alpha: z.number(),
            progress: z.number(),
            progress_step: z.number(),
          })
          .nullable(),
      })
      .nullable(),
  }),
});

export type TurnRecord = z.infer<typeof turnRecordSchema>;
