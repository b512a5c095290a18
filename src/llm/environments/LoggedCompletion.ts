/** A completion for the log. */
export interface LoggedCompletion {
  /** Position of its prompt's group in the batch. */
  readonly group: number;
  /** Position in the group. */
  readonly sample: number;
  /** Sum over turns. */
  readonly reward: number;
  readonly num_turns: number;
  /** Tokens that the policy wrote. */
  readonly completion_tokens: number;
  readonly prompt: string;
  readonly completion: string;
}
