/** Reports of a run as the network delivers them. JSON has null for numbers that are not finite. */
import { z } from "zod";
import { MUTATION_KINDS } from "../../tracking/history.ts";
import type { GenerationReport, ProgressReport } from "../../tracking/observer.ts";

const number = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);
const numbers = z.record(z.string(), number);
const value = z.union([z.number(), z.string()]);
const setting = z.union([value, z.boolean(), z.null()]);
const index = z.int();

const MutationDetail = z.object({
  kind: z.enum(MUTATION_KINDS),
  network: z.string().exactOptional(),
  method: z.string().exactOptional(),
  layer: z.int().exactOptional(),
  from: value.exactOptional(),
  to: value.exactOptional(),
});

const Network = z.object({
  name: z.string(),
  layers: z.array(
    z.object({
      kind: z.string(),
      width: z.number(),
      activation: z.string().nullable(),
      norm: z.boolean(),
      parameters: z.number(),
    }),
  ),
  parameters: z.number(),
});

const Member = z.object({
  slot: z.int(),
  index,
  parent: index.nullable(),
  subpopulation: z.int().nullable(),
  fitness: number,
  agent_fitness: numbers.exactOptional(),
  steps: z.number(),
  score: z.number().nullable(),
  training: z.array(z.tuple([z.number(), z.number()])).exactOptional(),
  mutation: z.string(),
  hyperparameters: numbers,
  metrics: numbers,
  histograms: z.record(z.string(), z.array(z.number())).exactOptional(),
  architecture: z.string(),
  learn_steps: z.number(),
  mutation_detail: MutationDetail.exactOptional(),
  network: z.array(Network).exactOptional(),
  evaluation: z.object({ returns: z.array(number), lengths: z.array(z.number()) }).exactOptional(),
  milliseconds: z.number().exactOptional(),
});

const Lineage = z.object({
  generation: z.int(),
  slot: z.int(),
  index,
  parent: index.nullable(),
  mutation: z.string(),
  hyperparameters: z.record(z.string(), z.object({ from: setting, to: setting })),
});

/** A {@link GenerationReport}. */
export const GenerationSchema = z.object({
  event: z.literal("generation"),
  generation: z.int().min(1),
  global_step: z.number(),
  fitnesses: z.array(number),
  elite: z.int(),
  members: z.array(Member),
  lineage: z.array(Lineage),
  seconds: number,
  steps_per_second: number,
  learn_steps_per_second: number,
  at: z.number().exactOptional(),
}) satisfies z.ZodType<GenerationReport>;

/** A {@link ProgressReport}. */
export const ProgressSchema = z.object({
  event: z.literal("progress"),
  generation: z.int(),
  global_step: z.number(),
  total_steps: z.number(),
  steps_per_second: number,
  learn_steps_per_second: number,
  members: z
    .array(
      z.object({
        index,
        parent: index.nullable(),
        steps: z.number(),
        score: z.number().nullable(),
      }),
    )
    .exactOptional(),
  episodes: z.array(z.object({ index, step: z.number(), return: z.number() })).exactOptional(),
}) satisfies z.ZodType<ProgressReport>;

export const CheckpointSchema = z.object({
  generation: z.int(),
  global_step: z.number(),
  /** Milliseconds since the epoch. */
  at: z.number().exactOptional(),
});

export const WarningSchema = z.object({ message: z.string(), at: z.number().exactOptional() });
