import { z } from "zod";
import { withAliases } from "./aliases.ts";
import { field, integer } from "./field.ts";

const fields = z.strictObject({
  kind: field(z.literal("llm"), "A buffer of language-model rollout groups."),
  name: field(z.string().nullable().default(null), "A label; it has no effect."),
  max_size: field(integer(1).default(10_000), "Rollout groups held for each shard of the learner.", {
    unit: "groups",
  }),
  buffer_occupancy_multiplier: field(
    integer(1).default(1),
    "Learning batches kept ready ahead of the learner.",
  ),
  max_rollout_version_lag: field(
    integer(0).nullable().default(null),
    "How many weight versions a rollout may lag behind the newest and still be used for learning.",
  ),
});

/**
 * The rollout buffer of asynchronous language-model training on a cluster.
 *
 * @example
 * ```ts
 * const buffer = LLMRolloutBufferSpec.parse({ kind: "llm" });
 * ```
 */
export const LLMRolloutBufferSpec = withAliases(fields, { memory_size: "max_size" });
export type LLMRolloutBufferSpec = z.output<typeof LLMRolloutBufferSpec>;
export type LLMRolloutBufferSpecInput = z.input<typeof fields>;
