import { z } from "zod";
import { LLMRolloutBufferSpec } from "./LLMRolloutBufferSpec.ts";
import { ReplayBufferSpec } from "./ReplayBufferSpec.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

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
