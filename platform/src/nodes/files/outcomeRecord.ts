/** The outcome of a turn as JSON. The resulting agent, its lanes, its transitions and its priorities are artifacts. */
import { z } from "zod";
import { jsonNumber } from "../../../../src/hosting/index.ts";
import { sha256Schema } from "../../artifacts/ArtifactStore.ts";

const count = z.int().nonnegative();

const result = z.strictObject({
  slot: count,
  agent: sha256Schema,
  fitness: jsonNumber,
  agent_fitness: z.record(z.string(), jsonNumber).exactOptional(),
  evaluation: z.strictObject({ returns: z.array(jsonNumber), lengths: z.array(count) }).exactOptional(),
  score: jsonNumber.nullable(),
  training: z
    .array(z.tuple([count, jsonNumber]).readonly())
    .readonly()
    .exactOptional(),
  env_steps: count,
  learn_steps: count,
  metrics: z.record(z.string(), jsonNumber),
  histograms: z.record(z.string(), z.array(jsonNumber)).exactOptional(),
  lanes: sha256Schema.exactOptional(),
  off_policy: z
    .strictObject({
      epsilon: z.number(),
      ring: z.strictObject({ position: count, count }),
      fill: z.number(),
      written: z.strictObject({ start: count, count, rows: sha256Schema }),
      priorities: z.strictObject({ leaves: sha256Schema, largest: z.number() }).nullable(),
    })
    .nullable(),
});

export const outcomeRecordSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), result }),
  z.strictObject({
    ok: z.literal(false),
    slot: count,
    message: z.string(),
    diverged: z.boolean(),
    timed_out: z.boolean(),
  }),
]);

export type OutcomeRecord = z.infer<typeof outcomeRecordSchema>;
