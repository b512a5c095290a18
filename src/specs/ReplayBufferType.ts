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

/** Any buffer; `kind` says which, classic when absent. */
export const ReplayBufferType = tagged(
  z.union([option(TAG, "classic", ReplayBufferSpec), option(TAG, "llm", LLMRolloutBufferSpec)]),
  TAG,
);
export type ReplayBufferType = z.output<typeof ReplayBufferType>;
