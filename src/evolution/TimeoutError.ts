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
