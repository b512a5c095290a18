/** Environments from what a module exports. */
import { EnvironmentError, type EnvironmentOptions, isParallelEnvironment, thrownBy } from "../rl/faces.ts";
import { describeValue, isClass, isPromise } from "../rl/spaces.ts";
import { OwnEnvironment, type OwnOptions } from "./OwnEnvironment.ts";
import { OwnParallelEnvironment } from "./OwnParallelEnvironment.ts";

export type MadeEnvironment = OwnEnvironment | OwnParallelEnvironment;

/**
 * The exported class or function that makes a module's environments.
 * @param entrypoint The export's name; `null` for the default export.
 * @throws EnvironmentError for a module that does not export it.
 */
export function exportOf(
  module: Readonly<Record<string, unknown>>,
  entrypoint: string | null,
  name: string,
): (options: EnvironmentOptions) => unknown {
  const key = entrypoint ?? "default";
  const found = Object.hasOwn(module, key) ? module[key] : undefined;
  if (typeof found === "function") {
    // `isClass` has checked that it is a class.
    const construct = found as new (options: EnvironmentOptions) => unknown;
    return isClass(found)
      ? (options) => new construct(options)
      : (options) => Reflect.apply(found, undefined, [options]);
  }
  const names = Object.keys(module);
  const has = names.length === 0 ? "it exports nothing" : `it exports ${names.join(", ")}`;
  const place = entrypoint === null ? "default export" : `export "${entrypoint}"`;
  throw new EnvironmentError(
    `${name}: ${place}: found ${describeValue(found)} (${has}), allowed a class, or a function of options that returns an environment`,
  );
}

/**
 * Makes an environment of a module.
 * @throws EnvironmentError for an error it threw, or a missing part of the environment interface.
 */
export function makeEnvironment(
  create: (options: EnvironmentOptions) => unknown,
  options: EnvironmentOptions,
  own: OwnOptions,
): MadeEnvironment {
  let environment: unknown;
  try {
    environment = create(options);
  } catch (error) {
    throw thrownBy(`${own.name}: open`, error);
  }
  if (typeof environment !== "object" || environment === null || isPromise(environment))
    throw new EnvironmentError(
      `${own.name}: open: found ${describeValue(environment)}, allowed an environment with observation_space, action_space, reset and step`,
    );
  try {
    const fields = environment as Readonly<Record<string, unknown>>;
    return isParallelEnvironment(environment)
      ? new OwnParallelEnvironment(fields, own)
      : new OwnEnvironment(fields, own);
  } catch (error) {
    const what = error instanceof Error ? error.message : describeValue(error);
    throw new EnvironmentError(`${own.name}: open: ${what}`, { cause: error });
  }
}
