import { isUserEnvironment } from "./isUserEnvironment.ts";

/** The name under which a user's environment is stored, from its id in a manifest; null for any other id. */
export const userEnvironmentName = (id: unknown): string | null =>
  typeof id === "string" && isUserEnvironment(id) ? id.slice(id.indexOf("/") + 1) : null;
