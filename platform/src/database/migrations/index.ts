/** The tables' versions, oldest first; a released one is never changed. */
import { first } from "./0001-first.ts";
import { nodes } from "./0002-nodes.ts";

export const MIGRATIONS: readonly string[] = [first, nodes];
