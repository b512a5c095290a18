/**
 * A user-defined environment threw (the error is the `cause`), or returned values that its interface does not
 * allow.
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
