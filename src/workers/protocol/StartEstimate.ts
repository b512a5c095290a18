/** What a run would take; null stands for what is not known before it starts. */
export interface StartEstimate {
  readonly algorithm: string;
  readonly environment: string;
  /** Environment steps of all members together. */
  readonly steps: number | null;
  /** Population, replay memory and one thread together; rough. */
  readonly bytes: number | null;
  /** Of that, all members: weights and moments. */
  readonly population_bytes: number | null;
  readonly replay_bytes: number | null;
}
