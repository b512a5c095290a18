/** What a key allows. */
import { z } from "zod";

/** `read` looks, `submit` starts and steers runs, `worker` moves artifacts, `admin` does everything. */
export const scopeSchema = z.enum(["read", "submit", "worker", "admin"]);

export type Scope = z.infer<typeof scopeSchema>;

export const allows = (scopes: readonly Scope[], wanted: Scope): boolean =>
  scopes.includes(wanted) || scopes.includes("admin");
