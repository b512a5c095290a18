/** How messages name an environment of the caller's, and what it threw. */
import { describeValue } from "../../spaces/describeValue.ts";
import { EnvironmentError } from "./EnvironmentError.ts";
import type { EnvironmentSpec } from "./HostEnvironment.ts";

/** Its id, else the name of its class. */
export function nameOf(environment: { readonly spec?: EnvironmentSpec }): string {
  const name = environment.spec?.id ?? environment.constructor.name;
  return name === "Object" ? "environment" : name;
}

/** An error that says which call it came from; what was thrown is its cause. */
export function thrownBy(place: string, error: unknown): EnvironmentError {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : describeValue(error);
  return new EnvironmentError(`${place}: threw ${what}`, { cause: error });
}
