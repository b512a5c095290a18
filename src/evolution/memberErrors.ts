/**
 * Thrown when something that a run waits for does not respond in time: an environment or rubric supplied by
 * the caller, or a module's thread.
 *
 * @example
 * ```ts
 * const trainer = await LocalTrainer.fromManifest("run.yaml");
 * try {
 *   await trainer.train();
 * } catch (error) {
 *   if (error instanceof TimeoutError) console.error(`raise request_timeout_s: ${error.message}`);
 *   else throw error;
 * }
 * ```
 */
export class TimeoutError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TimeoutError";
  }
}

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
