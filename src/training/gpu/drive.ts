/** Runs programs of a population to their end, in chunks of a time budget. */
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { Progress } from "../../kernels/wgsl/executable.ts";
import type { Gate } from "../loop/Gate.ts";
import type { Pace } from "./Pace.ts";

/** Chunks under way, so that the device never waits for this thread. */
const IN_FLIGHT = 2;
/** Time between two reports of how far the members are. */
const REPORT_MS = 100;

/** Work that was started and is done chunk by chunk. */
export interface Work {
  /** Queues about so much work. @returns how much it is; 0 when it is known that none is left. */
  advance(units: number): number;
  /** Queues all that is left. */
  finish(): void;
  /** How far each slot is after all work so far. */
  progress(): Promise<ReadonlyMap<number, Progress>>;
}

export interface DriveOptions {
  readonly device: WebGpuDevice;
  readonly work: Work;
  readonly gate: Gate;
  readonly pace: Pace;
  /** Milliseconds that a chunk aims at, as of now. */
  readonly budget: () => number;
  readonly onProgress?: (progress: ReadonlyMap<number, Progress>) => void;
}

/**
 * Resolves when all members are done. Where that is learned from the device it is known late, so the last chunks may
 * find nothing left to do.
 * @returns whether all of it fitted into one chunk.
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
      // Heard when it is waited for; a failure of an earlier one ends the turn before.
      chunk.catch(() => undefined);
      underway.push(chunk);
      // What is under way ends first, so that a pause is not taken for slow work.
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
    // Of a dispatch that ran out of work one cannot tell how much it did.
    if (!over) pace.note(done, now - heard);
    heard = now;
    // After an abort the caller may have started the next turn before the device answers.
    if (!ended) onProgress?.(progress);
  }
}
