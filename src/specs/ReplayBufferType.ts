import { z } from "zod";
import { type Prepared, withAliases } from "./aliases.ts";
import { field, fraction, integer, layers } from "./field.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

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

const HindsightArgs = z.strictObject({
  goal_selection_strategy: field(
    z.preprocess(nullAs("future"), z.enum(["future", "final", "episode"]).default("future")),
    "Where goals are drawn from: future, what the episode achieved from the transition on; final, its end; episode, all of it.",
  ),
  n_sampled_goal: field(
    z.preprocess(nullAs(4), layers(1).default(4)),
    "Transitions with such a goal for each one with its own.",
  ),
});

const classicFields = z.strictObject({
  kind: field(z.literal("classic").default("classic"), "A buffer of transitions."),
  name: field(z.string().nullable().default(null), "A label; it has no effect."),
  max_size: field(
    integer(1).default(100_000),
    "Transitions in the population's buffer, of which each member has an even share.",
    { unit: "transitions" },
  ),
  standard_buffer: field(z.boolean().default(true), "Informational; it has no effect.", {
    advanced: true,
    effect: false,
  }),
  n_step_buffer: field(z.boolean().default(false), "Stores n-step returns."),
  n_step_buffer_args: field(
    z.preprocess(nullAs({}), NStepBufferArgs.prefault({})),
    "Settings of the n-step buffer: n_step, the steps of a return (3).",
  ),
  per_buffer: field(z.boolean().default(false), "Samples by priority (RainbowDQN only)."),
  per_buffer_args: field(
    z.preprocess(nullAs({}), PrioritizedBufferArgs.prefault({})),
    "Settings of the prioritised buffer: alpha, from 0 (uniform) to 1 (in proportion to priorities); 0.5 unless set.",
  ),
  her: field(
    HindsightArgs.nullable().default(null),
    "Hindsight experience replay: transitions are also learnt from with goals that their episodes achieved, in environments with goals. goal_selection_strategy is future, final or episode; n_sampled_goal (4) counts such transitions for each with its own goal. If unset, none.",
    { rlkit_only: true },
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
export const ReplayBufferSpec: Prepared<typeof classicFields> = withAliases(classicFields, {
  memory_size: "max_size",
});
export type ReplayBufferSpec = z.output<typeof ReplayBufferSpec>;
export type ReplayBufferSpecInput = z.input<typeof classicFields>;

const llmFields = z.strictObject({
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
export const LLMRolloutBufferSpec: Prepared<typeof llmFields> = withAliases(llmFields, {
  memory_size: "max_size",
});
export type LLMRolloutBufferSpec = z.output<typeof LLMRolloutBufferSpec>;
export type LLMRolloutBufferSpecInput = z.input<typeof llmFields>;

const TAG: UnionTag = {
  what: "replay buffer",
  key: "kind",
  tags: ["classic", "llm"],
  fallback: "classic",
};

const madeReplayBufferType = tagged(
  z.union([option(TAG, "classic", ReplayBufferSpec), option(TAG, "llm", LLMRolloutBufferSpec)]),
  TAG,
);
type ReplayBufferTypeMade = typeof madeReplayBufferType;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface ReplayBufferTypeSchema extends ReplayBufferTypeMade {}

/**
 * Any buffer; `kind` selects its type (default: classic).
 *
 * @example
 * ```ts
 * const replay_buffer = ReplayBufferType.parse({ max_size: 50_000 });
 * console.log(replay_buffer.kind); // classic
 * ```
 */
export const ReplayBufferType: ReplayBufferTypeSchema = madeReplayBufferType;
export type ReplayBufferType = z.output<typeof ReplayBufferType>;
