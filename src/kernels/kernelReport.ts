/** Reports on the programs that a device has compiled and their cost, for display. */
import type { DeviceKind } from "./device.ts";

/** Report on one compiled program, as plain data. */
export interface KernelReport {
  /** The same for programs of equal text on one kind of device. */
  readonly id: string;
  readonly name: string;
  readonly target: DeviceKind;
  /** Structures of agents that requested it in this or the previous generation; empty if it serves any. */
  readonly structures: readonly string[];
  /** Slots of the members that requested it in this or the previous generation, ascending. */
  readonly members: readonly number[];
  /** Size of the module (wasm) or of the shader's text (webgpu); 0 while it compiles. */
  readonly code_bytes: number;
  /** Names of its kernels; several kernels may share a name. */
  readonly kernels: readonly string[];
  /** The shader as WGSL; null on wasm, and while it compiles. */
  readonly source: string | null;
  /** Milliseconds from the request to the compiled program, over all copies; null while it compiles. */
  readonly compile_ms: number | null;
  /** Number of devices that compiled it; every compute worker has its own device. */
  readonly copies: number;
  /** Number of runs: on wasm each for one member, on webgpu for all members of a structure at once. */
  readonly runs: number;
  /** Number of runs included in `time_ms`. */
  readonly timed_runs: number;
  /** Milliseconds that `timed_runs` took (webgpu: on the GPU's clock); null if they cannot be measured. */
  readonly time_ms: number | null;
}

/** Merges the reports of several devices: a program compiled by several becomes one entry. */
export function mergeKernelReports(lists: readonly (readonly KernelReport[])[]): KernelReport[] {
  const merged = new Map<string, KernelReport>();
  for (const report of lists.flat()) {
    const key = `${report.target} ${report.id}`;
    const before = merged.get(key);
    merged.set(key, before ? together(before, report) : report);
  }
  return [...merged.values()];
}

function together(a: KernelReport, b: KernelReport): KernelReport {
  const compiled = a.compile_ms === null ? b : a;
  return {
    ...compiled,
    structures: [...new Set([...a.structures, ...b.structures])],
    members: [...new Set([...a.members, ...b.members])].toSorted((x, y) => x - y),
    compile_ms: sum(a.compile_ms, b.compile_ms),
    copies: a.copies + b.copies,
    runs: a.runs + b.runs,
    timed_runs: a.timed_runs + b.timed_runs,
    time_ms: sum(a.time_ms, b.time_ms),
  };
}

const sum = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : a + b;
