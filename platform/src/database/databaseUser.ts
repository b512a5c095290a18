/** The system user that runs the private PostgreSQL, which refuses to run as root. */
import { execFileSync } from "node:child_process";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ["postgres", "nobody"];

/**
 * The user to run PostgreSQL as, or null for this process's user.
 * @throws Error if root finds no other user.
 */
export function databaseUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of CANDIDATES) {
    try {
      const id = (flag: string): number => Number(execFileSync("id", [flag, name], { stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // This system has no such user.
    }
  }
  throw new Error(
    `PostgreSQL does not run as root, and this system has none of the users ${CANDIDATES.join(", ")}; run as another user, or give --database postgres://...`,
  );
}
