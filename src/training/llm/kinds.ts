/** Types of the language-model workload. */
import type { LlmMember } from "../../llm/members.ts";
import type { CompletionLoggingConfig } from "../../manifests/index.ts";
import type { CompletionRecord } from "../../specs/sections.ts";
import type { TrainingDevice } from "../loop/runState.ts";
import type { ResultOf, Setup, TurnOf } from "../loop/Workload.ts";
import type { ModuleTexts } from "../loop/WorkloadDefinition.ts";

export const LLM_WORKLOAD = "language-models";

export interface LlmSetup extends Setup {
  /** The run's manifest as an object. */
  readonly manifest: unknown;
  readonly seed: number;
  /** Which completions of each iteration are logged; `null` logs none. */
  readonly completion_logging: CompletionLoggingConfig | null;
  /**
   * Modules that the manifest names, as text, which run in sandboxes (default: files of these names, which
   * run in threads).
   */
  readonly modules?: ModuleTexts;
  /** Whether raw text gets the tokenizer's special tokens (default: true). */
  readonly special_tokens?: boolean;
  /** Device that its benches run on (default: wasm). */
  readonly device?: TrainingDevice;
}

export interface LlmTurn extends TurnOf {
  /** Whether the member is evaluated after the turn. */
  readonly evaluate: boolean;
}

export interface LlmResult extends ResultOf<LlmMember> {
  readonly warnings: readonly string[];
  /** Whether all completions of each prompt earned the same reward. */
  readonly level: boolean;
  /** Completions sampled for the log. */
  readonly completions: readonly CompletionRecord[];
}

/** What members share. */
export interface LlmShared {
  /** False for a run of an earlier version, which gave raw text no special tokens (default: true). */
  readonly special_tokens?: boolean;
}

export interface LlmKinds {
  readonly agent: LlmMember;
  readonly shared: LlmShared;
  readonly setup: LlmSetup;
  readonly turn: LlmTurn;
  readonly result: LlmResult;
  readonly news: never;
}
