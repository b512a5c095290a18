/** Runs the programs of a population to completion, in chunks that fit a time budget. */

import type { Progress } from "../../kernels/webgpu.ts";
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { Gate } from "../loop/Gate.ts";

/** Initial rate: units of work per millisecond on the slowest devices. */
const FIRST_RATE = 4;
/** Maximum growth of the rate per measurement, because a measurement of little work is unreliable. */
const GROWTH = 8;

export class Pace {
  #rate = FIRST_RATE;
  #settled = false;

  /** Whether the last measured rate was at most twice the expected one. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Estimated units of work in `ms` milliseconds, at least 1. */
  units(ms: number): number {
    return Math.max(1, Math.floor(this.#rate * ms));
  }

  /** Records that `units` of work took `ms` milliseconds. */
  note(units: number, ms: number): void {
    const found = units / Math.max(ms, 0.01);
    this.#settled = found <= 2 * this.#rate;
    this.#rate = Math.min(found, GROWTH * this.#rate);
  }
}

/** Chunks in flight, so that the device never waits for this thread. */
const IN_FLIGHT = 2;
/** Milliseconds between two progress reports. */
const REPORT_MS = 100;

/** Started work that is queued chunk by chunk. */
export interface Work {
  /** Queues about `units` units of work. @returns the units queued; 0 if none are known to be left. */
  advance(units: number): number;
  /** Queues all remaining work. */
  finish(): void;
  /** Progress of each slot after all work queued so far. */
  progress(): Promise<ReadonlyMap<number, Progress>>;
}

export interface DriveOptions {
  readonly device: WebGpuDevice;
  readonly work: Work;
  readonly gate: Gate;
  readonly pace: Pace;
  /** Current target of a chunk, in milliseconds. */
  readonly budget: () => number;
  readonly onProgress?: (progress: ReadonlyMap<number, Progress>) => void;
}

/**
 * Resolves when all members are done. If this is read back from the device it is known late, so the last
 * chunks may have no work left.
 * @returns whether all the work fitted into one chunk.
 */
export async function drive({
  device,
  work,
  gate,
  pace,
  budget,
  onProgress,
}: DriveOptions): Promise<boolean> {
  const underway: Promise<void>[] = [];
  let [asked, heard] = [Number.NEGATIVE_INFINITY, performance.now()];
  let [asking, over] = [false, false];
  let ended = false;
  /** Units of work since the last report. */
  let unheard = 0;
  let [chunks, needed] = [0, 0];
  try {
    while (!over) {
      const units = work.advance(pace.units(budget()));
      if (units === 0) break;
      chunks++;
      device.flush();
      unheard += units;
      const now = performance.now();
      const due = !asking && (!pace.settled || now - asked >= REPORT_MS);
      if (due) asked = now;
      const chunk = due ? report(unheard) : device.idle();
      // Prevents an unhandled rejection: errors are thrown when the chunk is awaited, or an earlier chunk
      // fails first.
      chunk.catch(() => undefined);
      underway.push(chunk);
      // Chunks in flight finish before a pause, so that the pause is not measured as slow work.
      if (gate.isHeld) await Promise.all(underway);
      if (await gate.pass()) [heard, unheard] = [performance.now(), 0];
      if (!over && underway.length >= IN_FLIGHT) await underway.shift();
    }
    await Promise.all(underway);
    if (!over) await report(unheard);
    return needed <= 1;
  } finally {
    ended = true;
  }

  async function report(done: number): Promise<void> {
    [unheard, asking] = [0, true];
    const asked = chunks;
    const progress = await work.progress();
    asking = false;
    const now = performance.now();
    over = [...progress.values()].every(({ left }) => left === 0);
    if (over) needed = asked;
    // If the work ran out, the amount of work done is unknown.
    if (!over) pace.note(done, now - heard);
    heard = now;
    // After an abort the caller may have started the next turn before the device answers.
    if (!ended) onProgress?.(progress);
  }
}
