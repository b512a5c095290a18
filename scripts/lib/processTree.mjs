/** Finds and ends a process with all that it started. A killed process group would leave browsers, which have groups of their own. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * All processes of this machine, each with its parent.
 *
 * @returns {[pid: number, parent: number][]}
 */
function processes() {
  if (process.platform === "linux") {
    return readdirSync("/proc").flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        // The name of the program, in brackets, may hold anything.
        const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return [[Number(name), Number(parent)]];
      } catch {
        return []; // It ended meanwhile.
      }
    });
  }
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return pid > 0 ? [[pid, parent]] : [];
  });
}

/**
 * A process and all its descendants.
 *
 * @param {number} pid
 */
export function processTree(pid) {
  const all = processes();
  const found = [pid];
  // The list grows while it is walked.
  for (const parent of found) for (const [child, of] of all) if (of === parent) found.push(child);
  return found;
}

/**
 * Kills a process and all its descendants at once.
 *
 * @param {number} pid
 */
export function killTree(pid) {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  for (const each of processTree(pid)) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}
