/** The types of language models as a workload. */
import type { LlmMember } from "../../llm/agents/LlmMember.ts";
import type { CompletionRecord } from "../../specs/CompletionRecord.ts";
import type { CompletionLoggingConfig } from "../../specs/index.ts";
import type { TrainingDevice } from "../loop/runState.ts";
import type { ResultOf, Setup, TurnOf } from "../loop/Workload.ts";
import type { ModuleTexts } from "../loop/WorkloadDefinition.ts";

export const LLM_WORKLOAD = "language-models";

export interface LlmSetup extends Setup {
  /** The run's manifest as an object. */
  readonly manifest: unknown;
  readonly seed: number;
  /** Completions that are sampled of each iteration; null for none. */
  readonly completion_logging: CompletionLoggingConfig | null;
  /** Modules that the manifest names, as text, which run in sandboxes; files of these names run in threads unless given. */
  readonly modules?: ModuleTexts;
  /** What its benches run on; wasm unless given. */
  readonly device?: TrainingDevice;
}

export interface LlmTurn extends TurnOf {
  /** Whether the member is evaluated after it. */
  readonly evaluate: boolean;
}

export interface LlmResult extends ResultOf<LlmMember> {
  readonly warnings: readonly string[];
  /** Whether all completions of each prompt earned the same. */
  readonly level: boolean;
  /** Completions that were sampled for the log. */
  readonly completions: readonly CompletionRecord[];
}

export interface LlmKinds {
  readonly agent: LlmMember;
  // Members share nothing.
  readonly shared: object;
  readonly setup: LlmSetup;
  readonly turn: LlmTurn;
  readonly result: LlmResult;
  readonly news: never;
}
