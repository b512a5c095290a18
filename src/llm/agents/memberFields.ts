/** The fields of a member that files store in addition to its tensors. */
import { z } from "zod";

/** JSON has no NaN, so a fitness that is not finite is stored as null. */
export const memberFields = z.object({
  index: z.int(),
  parent: z.int().nullable(),
  hyperparameters: z.record(z.string(), z.number()),
  fitness: z.array(z.number().nullable()).transform((values) => values.map((value) => value ?? Number.NaN)),
  steps: z.int(),
  mut: z.string(),
  updates: z.int(),
  samples: z.int(),
  epoch: z.int(),
  passes: z.int(),
});
