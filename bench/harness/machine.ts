import os from "node:os";

/** One-line description of the machine and its current load. */
export function machineNote(): string {
  const cpus = os.cpus();
  const load = os.loadavg().map((x) => x.toFixed(1));
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${cpus.length} x ${cpus[0]?.model.trim() ?? "unknown CPU"}, ${memory} GiB, Node ${process.versions.node}, load ${load.join(" ")} (1, 5, 15 min)`;
}
