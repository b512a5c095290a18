/** Estimated needs of a run; null means unknown before it starts. */
export interface StartEstimate {
  readonly algorithm: string;
  readonly environment: string;
  /** Environment steps, summed over all members. */
  readonly steps: number | null;
  /** Rough total of the population, the replay buffer and one thread. */
  readonly bytes: number | null;
  /** The part of `bytes` for all members: weights and moments. */
  readonly population_bytes: number | null;
  readonly replay_bytes: number | null;
}
