import { describe, expect, it, vi } from "vitest";
import { SpareWorker } from "../../../src/workers/tabs/SpareWorker.ts";

/** A worker that only says whether it was ended. */
class FakeWorker extends EventTarget {
  ended = false;
  terminate(): void {
    this.ended = true;
  }
}

function spareOf() {
  const started: FakeWorker[] = [];
  const spare = new SpareWorker(() => {
    const worker = new FakeWorker();
    started.push(worker);
    // Only these parts of a worker are used.
    return worker as unknown as Worker;
  });
  return { spare, started };
}

describe("a spare worker", () => {
  it("is started once ahead, and used once", () => {
    const { spare, started } = spareOf();
    const prepared = spare.prepare();
    expect(spare.prepare()).toBe(prepared);
    expect(spare.take()).toBe(prepared);
    expect(spare.take()).not.toBe(prepared);
    expect(started).toHaveLength(2);
  });

  it("is one that was given back, for five minutes", () => {
    vi.useFakeTimers();
    try {
      const { spare, started } = spareOf();
      const first = spare.take();
      spare.keep(first);
      vi.advanceTimersByTime(299_000);
      expect(spare.take()).toBe(first);
      spare.keep(first);
      vi.advanceTimersByTime(299_000);
      expect(started[0]?.ended).toBe(false);
      vi.advanceTimersByTime(2000);
      expect(started[0]?.ended).toBe(true);
      expect(spare.take()).not.toBe(first);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not a second one", () => {
    const { spare, started } = spareOf();
    const [first, second] = [spare.take(), spare.take()];
    spare.keep(first);
    spare.keep(second);
    expect(started.map(({ ended }) => ended)).toEqual([false, true]);
    expect(spare.take()).toBe(first);
  });

  it("is not one that failed meanwhile; one in use is left to its user", () => {
    const { spare, started } = spareOf();
    const failed = spare.prepare();
    const error = new Event("error", { cancelable: true });
    failed.dispatchEvent(error);
    expect(error.defaultPrevented).toBe(true);
    expect(started[0]?.ended).toBe(true);
    const used = spare.take();
    expect(used).not.toBe(failed);
    used.dispatchEvent(new Event("error", { cancelable: true }));
    expect(started[1]?.ended).toBe(false);
  });
});
