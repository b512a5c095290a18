/** A sampled completion of a language model; keys are in the order in which they are written. */
export interface CompletionRecord {
  /** Outer iteration, 1 for the first. */
  readonly step: number;
  /** Position in the population. */
  readonly agent_index: number;
  /** Position of its prompt's group in the batch. */
  readonly group_index: number;
  /** Position in the group. */
  readonly sample_index: number;
  /** Sum over turns. */
  readonly reward: number;
  readonly num_turns: number;
  readonly completion_tokens: number;
  readonly prompt: string;
  readonly completion: string;
}
