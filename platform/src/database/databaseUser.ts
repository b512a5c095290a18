/** Who runs the private PostgreSQL, which refuses to run as root. */
import { execFileSync } from "node:child_process";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ["postgres", "nobody"];

/** The user to start PostgreSQL as; null for the one that this process has. @throws Error where root has no other. */
export function databaseUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of CANDIDATES) {
    try {
      const id = (flag: string): number => Number(execFileSync("id", [flag, name], { stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // There is no such user here.
    }
  }
  throw new Error(
    `PostgreSQL does not run as root, and this system has none of the users ${CANDIDATES.join(", ")}; run as another user, or give --database postgres://...`,
  );
}
