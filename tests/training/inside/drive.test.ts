/** Programs run to their end in dispatches of a time budget, on a GPU whose clock is the test's. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Progress } from "../../../src/kernels/webgpu.ts";
import type { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { type DriveOptions, drive, Pace, type Work } from "../../../src/training/gpu/drive.ts";
import { Gate, StoppedError } from "../../../src/training/loop.ts";

/** A GPU that takes `msPerUnit` for a unit of work of the member that has most of it. */
class FakeGpu {
  readonly dispatches: { readonly ms: number; readonly underway: number }[] = [];
  reports = 0;
  readonly #msPerUnit: () => number;
  readonly #work: number;
  #left = new Map<number, number>();
  #busyUntil = 0;
  #underway = 0;

  constructor(work: number, msPerUnit: () => number) {
    this.#work = work;
    this.#msPerUnit = msPerUnit;
  }

  /** Resolves when all work so far is done. */
  #done(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#busyUntil - performance.now()));
  }

  start(runs: (slot: number) => number): void {
    this.#left = new Map([0, 1].map((slot) => [slot, runs(slot) * this.#work]));
  }

  get options(): Pick<DriveOptions, "device" | "work"> {
    const work: Work = {
      advance: (units) => {
        const most = Math.max(...this.#left.values());
        const ms = Math.min(units, most) * this.#msPerUnit();
        for (const [slot, left] of this.#left) this.#left.set(slot, Math.max(0, left - units));
        this.#busyUntil = Math.max(this.#busyUntil, performance.now()) + ms;
        this.dispatches.push({ ms, underway: ++this.#underway });
        void this.#done().then(() => this.#underway--);
        return units;
      },
      finish: () => {
        throw new Error("drive finds its way chunk by chunk");
      },
      progress: async () => {
        this.reports++;
        const found = [...this.#left].map(([slot, left]): [number, Progress] => [
          slot,
          { left: Math.ceil(left / this.#work), position: 0, count: 0 },
        ]);
        await this.#done();
        return new Map(found);
      },
    };
    const device: Partial<WebGpuDevice> = { flush: () => undefined, idle: () => this.#done() };
    // Only what `drive` calls is there.
    return { device: device as WebGpuDevice, work };
  }
}

const BUDGET = 50;
/** Longer than the time between two reports. */
const REPORT_MS = 100;

describe("drive", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance", "setImmediate"] }));
  afterEach(() => void vi.useRealTimers());

  async function driven(
    gpu: FakeGpu,
    runs: (slot: number) => number,
    options: Partial<DriveOptions> = {},
  ): Promise<boolean> {
    gpu.start(runs);
    const all = drive({
      ...gpu.options,
      gate: new Gate(),
      pace: new Pace(),
      budget: () => BUDGET,
      ...options,
    });
    let ended = false;
    const outcome = all.finally(() => {
      ended = true;
    });
    outcome.catch(() => undefined);
    for (let ms = 0; ms < 1_000_000 && !ended; ms++) await vi.advanceTimersByTimeAsync(1);
    return outcome;
  }

  it("finds the work that fits the budget, whatever the device's speed", async () => {
    for (const msPerUnit of [0.001, 0.05, 0.5]) {
      const gpu = new FakeGpu(4000 / msPerUnit, () => msPerUnit);
      await driven(gpu, () => 1);
      const times = gpu.dispatches.map(({ ms }) => ms).filter((ms) => ms > 0);
      expect(Math.max(...times)).toBeLessThan(2 * BUDGET + 60);
      // The device computes all the time, in pieces of about the budget: 4 s are some 80 of them.
      expect(times.length).toBeLessThan(110);
      expect(times.reduce((a, b) => a + b, 0)).toBeCloseTo(4000, 3);
    }
  });

  it("keeps to the budget when the work becomes slower, or the page is looked at", async () => {
    let msPerUnit = 0.05;
    let budget = 50;
    const gpu = new FakeGpu(200_000, () => msPerUnit);
    let reports = 0;
    await driven(gpu, () => 1, {
      budget: () => budget,
      onProgress: () => {
        reports++;
        if (reports === 15) msPerUnit = 0.2;
        if (reports === 30) budget = 8;
      },
    });
    const times = gpu.dispatches.map(({ ms }) => ms).filter((ms) => ms > 0);
    expect(Math.max(...times)).toBeLessThan(250);
    for (const ms of times.slice(-50, -1)) expect(ms).toBeLessThan(9);
  });

  it("has at most two dispatches under way, and asks rarely how far they are", async () => {
    const gpu = new FakeGpu(100_000, () => 0.1);
    await driven(gpu, () => 1);
    expect(Math.max(...gpu.dispatches.map(({ underway }) => underway))).toBe(2);
    // 10 s of work.
    expect(gpu.reports).toBeLessThan(110);
  });

  it("takes two dispatches where one does all the work", async () => {
    const gpu = new FakeGpu(1, () => 0.1);
    expect(await driven(gpu, (slot) => 1 + slot)).toBe(true);
    expect(gpu.dispatches.map(({ ms }) => ms > 0)).toEqual([true, false]);
    expect(gpu.reports).toBe(1);
    expect(await driven(new FakeGpu(100_000, () => 0.1), () => 1)).toBe(false);
  });

  it("tells how far members are, and goes on until the last has done its runs", async () => {
    const gpu = new FakeGpu(1000, () => 1);
    const seen: string[] = [];
    await driven(gpu, (slot) => 3 - slot, {
      onProgress: (progress) => seen.push([...progress.values()].map(({ left }) => left).join(" ")),
    });
    expect(seen[0]).toBe("3 2");
    expect(seen).toContain("1 0");
    expect(seen.at(-1)).toBe("0 0");
  });

  it("does not take a pause for slow work", async () => {
    const gpu = new FakeGpu(20_000, () => 0.1);
    const gate = new Gate();
    let reports = 0;
    await driven(gpu, () => 1, {
      gate,
      onProgress: () => {
        if (++reports !== 5) return;
        gate.pause();
        setTimeout(() => gate.resume(), 5000);
      },
    });
    const times = gpu.dispatches.map(({ ms }) => ms).filter((ms) => ms > 0);
    expect(Math.min(...times.slice(10, -1))).toBeGreaterThan(BUDGET / 2);
  });

  it("ends when it is aborted", async () => {
    const gpu = new FakeGpu(1e6, () => 0.1);
    const gate = new Gate();
    const halted = driven(gpu, () => 1, { gate, onProgress: () => gate.abort() });
    await expect(halted).rejects.toBeInstanceOf(StoppedError);
  });

  it("tells nothing after it was aborted, though the device answers later", async () => {
    const gpu = new FakeGpu(1e6, () => 0.1);
    const gate = new Gate();
    let reports = 0;
    const halted = driven(gpu, () => 1, {
      gate,
      onProgress: () => {
        if (++reports === 5) setTimeout(() => gate.abort(), 2 * REPORT_MS);
      },
    });
    await expect(halted).rejects.toBeInstanceOf(StoppedError);
    const [told, asked] = [reports, gpu.reports];
    await vi.advanceTimersByTimeAsync(100 * BUDGET);
    expect(asked).toBeGreaterThan(told);
    expect(reports).toBe(told);
  });
});
