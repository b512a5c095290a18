import { isUserEnvironment } from "./isUserEnvironment.ts";

/** The name that a person's environment is kept under, of what a manifest calls it; null for what is none. */
export const userEnvironmentName = (id: unknown): string | null =>
  typeof id === "string" && isUserEnvironment(id) ? id.slice(id.indexOf("/") + 1) : null;
