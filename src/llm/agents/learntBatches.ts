/** Batches that language models learn from, and what learning gives. */
import type { RolloutBatch } from "../algorithms/contract.ts";
import type { Sequences } from "../engine/Policy.ts";
import type { Metrics } from "./Learner.ts";

/** A batch of rollouts, before missing log-probabilities are computed. */
export type Experiences = Omit<
  RolloutBatch,
  "rows" | "columns" | "old_log_probs" | "reference_log_probs" | "values"
> & {
  readonly sequences: Sequences;
  readonly old_log_probs?: Float32Array | undefined;
  readonly reference_log_probs?: Float32Array | undefined;
  /** Log-probabilities of generated tokens when they were sampled, 0 elsewhere: [rows, T - 1]. */
  readonly sampling_log_probs?: Float32Array | undefined;
};

/** Labelled sequences. For DPO, each pair is two consecutive rows. */
export interface LabelledSequences {
  readonly sequences: Sequences;
  /** 1 where the next token belongs to the response: [rows, T - 1]. */
  readonly action_mask: Float32Array;
  /** For KTO, 1 where a row's response is desirable, else 0: [rows]. */
  readonly labels?: Float32Array;
}

export interface LearnResult {
  readonly metrics: Metrics;
  readonly warnings: readonly string[];
  /** Mean advantage of each rollout's generated tokens, NaN for one without: [rows]. */
  readonly advantages?: Float32Array;
}
