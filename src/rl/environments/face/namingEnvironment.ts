/** Text for messages about users' environments and the errors that they throw. */
import { describeValue } from "../../spaces/describeValue.ts";
import { EnvironmentError } from "./EnvironmentError.ts";
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
