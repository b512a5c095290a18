/** Runs programs of a population to their end, in dispatches of a time budget. */
import type { WebGpuDevice } from "../kernels/wgsl/device.ts";
import type { Progress } from "../kernels/wgsl/executable.ts";
import type { Together } from "../rl/runtime/gpuMembers.ts";
import type { Gate } from "./executor.ts";
import type { Pace } from "./pace.ts";

/** Dispatches under way, so that the device never waits for this thread. */
const IN_FLIGHT = 2;
/** Time between two reports of how far the members are. */
const REPORT_MS = 100;

export interface DriveOptions {
  readonly device: WebGpuDevice;
  readonly programs: Together;
  /** How often each slot's program runs. */
  readonly runs: (slot: number) => number;
  readonly gate: Gate;
  readonly pace: Pace;
  /** Milliseconds that a dispatch aims at, as of now. */
  readonly budget: () => number;
  readonly onProgress?: (progress: ReadonlyMap<number, Progress>) => void;
}

/**
 * Resolves when all members have done their runs. How far they are is known late, so the last dispatches may find
 * nothing left to do.
 */
export async function drive({
  device,
  programs,
  runs,
  gate,
  pace,
  budget,
  onProgress,
}: DriveOptions): Promise<void> {
  const underway: Promise<void>[] = [];
  let [asked, heard] = [Number.NEGATIVE_INFINITY, performance.now()];
  let [asking, over] = [false, false];
  /** Units of work since the last report. */
  let unheard = 0;
  programs.start(runs);
  while (!over) {
    const units = pace.units(budget());
    programs.advance(units);
    device.flush();
    unheard += units;
    const now = performance.now();
    const due = !asking && (!pace.settled || now - asked >= REPORT_MS);
    if (due) asked = now;
    const work = due ? report(unheard) : device.idle();
    // Heard when it is waited for; a failure of an earlier one ends the turn before.
    work.catch(() => undefined);
    underway.push(work);
    // What is under way ends first, so that a pause is not taken for slow work.
    if (gate.isHeld) await Promise.all(underway);
    if (await gate.pass()) [heard, unheard] = [performance.now(), 0];
    if (!over && underway.length >= IN_FLIGHT) await underway.shift();
  }
  await Promise.all(underway);

  async function report(done: number): Promise<void> {
    [unheard, asking] = [0, true];
    const progress = await programs.progress();
    asking = false;
    const now = performance.now();
    over = [...progress.values()].every(({ left }) => left === 0);
    // Of a dispatch that ran out of work one cannot tell how much it did.
    if (!over) pace.note(done, now - heard);
    heard = now;
    onProgress?.(progress);
  }
}
