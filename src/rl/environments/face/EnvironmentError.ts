import { describeValue } from "../../spaces/describeValue.ts";
import type { EnvironmentSpec } from "./HostEnvironment.ts";

/** The environment's id, otherwise the name of its class. */
export function nameOf(environment: { readonly spec?: EnvironmentSpec }): string {
  const name = environment.spec?.id ?? environment.constructor.name;
  return name === "Object" ? "environment" : name;
}

/** Wraps a thrown value in an error that names the call; the thrown value is its `cause`. */
export function thrownBy(place: string, error: unknown): EnvironmentError {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : describeValue(error);
  return new EnvironmentError(`${place}: threw ${what}`, { cause: error });
}

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
