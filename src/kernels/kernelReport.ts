/** What a device has compiled and what it costs, for people to look at. */
import type { DeviceKind } from "./device.ts";

/** One compiled program. All plain data. */
export interface KernelReport {
  /** The same for programs of equal text on one kind of device. */
  readonly id: string;
  readonly name: string;
  readonly target: DeviceKind;
  /** Structures of the agents it was asked for in this generation or the last; none when it serves any. */
  readonly structures: readonly string[];
  /** Slots of the members that asked for it in this generation or the last, ascending. */
  readonly members: readonly number[];
  /** Size of the module (wasm) or of the shader's text (webgpu); 0 while it compiles. */
  readonly code_bytes: number;
  /** Names of the kernels in it; a name may stand for several. */
  readonly kernels: readonly string[];
  /** The shader as WGSL; null on wasm, and while it compiles. */
  readonly source: string | null;
  /** Milliseconds from the request to the compiled program, over all copies; null while it compiles. */
  readonly compile_ms: number | null;
  /** Devices that compiled it: every compute worker has its own. */
  readonly copies: number;
  /** Times it was started: on wasm for one member, on webgpu for all of a structure at once. */
  readonly runs: number;
  /** Runs that `time_ms` is the time of. */
  readonly timed_runs: number;
  /** Milliseconds that `timed_runs` took, on the GPU's own clock for webgpu; null when the device cannot tell. */
  readonly time_ms: number | null;
}

/** Reports of several devices as one list: a program that many compiled is one entry. */
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
