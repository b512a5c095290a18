import { z } from "zod";
import { withAliases } from "./aliases.ts";
import { field, fraction, integer, layers } from "./field.ts";

const nullAs =
  <T>(value: T) =>
  (raw: unknown): unknown =>
    raw === null ? value : raw;

const NStepBufferArgs = z.strictObject({
  n_step: field(z.preprocess(nullAs(3), layers(1).default(3)), "Steps of the return."),
});

const PrioritizedBufferArgs = z.strictObject({
  alpha: field(
    z.preprocess(nullAs(0.5), fraction().default(0.5)),
    "How strongly priorities matter: 0 samples uniformly, 1 in proportion.",
  ),
});

const fields = z.strictObject({
  kind: field(z.literal("classic").default("classic"), "A buffer of transitions."),
  name: field(z.string().nullable().default(null), "A label; it has no effect."),
  max_size: field(
    integer(1).default(100_000),
    "Transitions the population's buffer holds; each member's segment holds its even share.",
    { unit: "transitions" },
  ),
  standard_buffer: field(z.boolean().default(true), "Informational; it has no effect.", {
    advanced: true,
    effect: false,
  }),
  n_step_buffer: field(z.boolean().default(false), "Stores n-step returns."),
  n_step_buffer_args: field(
    z.preprocess(nullAs({}), NStepBufferArgs.prefault({})),
    "Settings of the n-step buffer.",
  ),
  per_buffer: field(z.boolean().default(false), "Samples by priority (RainbowDQN only)."),
  per_buffer_args: field(
    z.preprocess(nullAs({}), PrioritizedBufferArgs.prefault({})),
    "Settings of the prioritised buffer.",
  ),
});

/**
 * The replay buffer of off-policy and offline algorithms.
 *
 * @example
 * ```ts
 * const replay_buffer = ReplayBufferSpec.parse({ max_size: 50_000 });
 * ```
 */
export const ReplayBufferSpec = withAliases(fields, { memory_size: "max_size" });
export type ReplayBufferSpec = z.output<typeof ReplayBufferSpec>;
export type ReplayBufferSpecInput = z.input<typeof fields>;
