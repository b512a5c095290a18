/**
 * An environment of the caller's gave what the face of environments does not allow, or threw (then that is the `cause`).
 *
 * @example
 * ```ts
 * const env = make("CartPole-v1");
 * try {
 *   env.step(0);
 * } catch (error) {
 *   if (error instanceof EnvironmentError) console.error(error.message, error.cause);
 *   else throw error;
 * }
 * ```
 */
export class EnvironmentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EnvironmentError";
  }
}
