/**
 * Thrown when a member diverges: one of its values is NaN or infinite.
 *
 * @example
 * ```ts
 * const trainer = new LocalTrainer({ algorithm: { name: "DQN", lr: 100 }, environment: "CartPole-v1" });
 * try {
 *   await trainer.train();
 * } catch (error) {
 *   if (error instanceof DivergedError) console.error(`member ${error.slot} diverged`);
 *   else throw error;
 * }
 * ```
 */
export class DivergedError extends Error {
  readonly slot: number;

  /** @param message The original message; the error may have been detected in another thread. */
  constructor(slot: number, message: string) {
    super(message);
    this.name = "DivergedError";
    this.slot = slot;
  }
}
