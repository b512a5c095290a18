import { useEffect, useState } from "react";
import type { KernelReport } from "../../../../kernels/devices.ts";
import type { RunStatus } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** Milliseconds between two requests while the run trains. */
const INTERVAL = 2000;

interface Kernels {
  /** Undefined until the first answer; null if the run is not training. */
  readonly reports: readonly KernelReport[] | null | undefined;
  /** Why the last request failed; null if it succeeded. */
  readonly problem: string | null;
}

/** The compiled programs of a run, polled while it trains. */
export function useKernels(id: string, state: RunStatus): Kernels {
  const { coordinator } = useWorkbench();
  const [kernels, setKernels] = useState<Kernels>({ reports: undefined, problem: null });
  useEffect(() => {
    let shown = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const reports = await coordinator.kernels(id);
        if (shown) setKernels({ reports, problem: null });
      } catch (error) {
        if (shown) setKernels(({ reports }) => ({ reports, problem: messageOf(error) }));
      }
      if (shown && state === "running") timer = setTimeout(() => void ask(), INTERVAL);
    };
    void ask();
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, [coordinator, id, state]);
  return kernels;
}

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
