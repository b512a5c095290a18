/** Scopes of keys. */
import { z } from "zod";

/** `read` reads, `submit` starts and controls runs, `worker` transfers artifacts, `admin` does everything. */
export const scopeSchema = z.enum(["read", "submit", "worker", "admin"]);

export type Scope = z.infer<typeof scopeSchema>;

export const allows = (scopes: readonly Scope[], wanted: Scope): boolean =>
  scopes.includes(wanted) || scopes.includes("admin");
