/** A completion for the log. */
export interface LoggedCompletion {
  /** Position of its prompt's group in the batch. */
  readonly group: number;
  /** Position in the group. */
  readonly sample: number;
  /** Sum of the rewards over all turns. */
  readonly reward: number;
  readonly num_turns: number;
  /** Number of tokens that the policy generated. */
  readonly completion_tokens: number;
  readonly prompt: string;
  readonly completion: string;
}
