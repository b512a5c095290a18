import type { KernelReport } from "../../../../kernels/devices.ts";

/** Sorts programs in an order that does not change with their numbers. */
export const byName = (programs: readonly KernelReport[]): KernelReport[] =>
  programs.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.id.localeCompare(b.id, "en"));

/** The program with the most code, which is the one most likely of interest. */
export const largest = (programs: readonly KernelReport[]): KernelReport | undefined =>
  programs.reduce<KernelReport | undefined>(
    (best, program) => (best !== undefined && best.code_bytes >= program.code_bytes ? best : program),
    undefined,
  );

/** Milliseconds per run; null if no run was timed. */
export const millisecondsPerRun = ({ time_ms, timed_runs }: KernelReport): number | null =>
  time_ms === null || timed_runs === 0 ? null : time_ms / timed_runs;

/** A program's share of the time of all programs, 0 to 1; null if none of its runs was timed. */
export function shareOfTime(program: KernelReport, programs: readonly KernelReport[]): number | null {
  const total = programs.reduce((sum, { time_ms }) => sum + (time_ms ?? 0), 0);
  return program.time_ms === null || program.timed_runs === 0 || total === 0 ? null : program.time_ms / total;
}

/** Slots as ranges: [0, 1, 2, 5] is "0–2, 5". */
export function slotRanges(slots: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const slot of slots) {
    const last = ranges.at(-1);
    if (last !== undefined && slot === last[1] + 1) last[1] = slot;
    else ranges.push([slot, slot]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/** Distinct names with their counts, in order of first appearance. */
export function countedNames(names: readonly string[]): readonly { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count }));
}
