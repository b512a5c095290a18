import { execFileSync } from "node:child_process";

/** Whether a process takes time still: one that has ended may stand in the list until somebody asks for its end. */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

/** Processes that a process has started and that have not ended. */
export const childrenOf = (pid: number): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => parent === String(pid) && !state?.startsWith("Z"))
    .map(([child]) => Number(child));
