import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nudged } from "../../../../src/kernels/wgsl/firefoxPoll.ts";

/** A queue that answers a wait only when it was nudged so often. */
function lazyQueue(nudges: number) {
  let left = nudges;
  let answer = (_done: string) => {};
  const wait = new Promise<string>((resolve) => {
    answer = resolve;
  });
  return {
    wait,
    submit: () => {
      if (--left === 0) answer("done");
      return undefined;
    },
  };
}

describe("waiting for a queue", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("nudges until the wait is over, and no longer", async () => {
    const queue = lazyQueue(3);
    const submit = vi.fn<(commands: Iterable<GPUCommandBuffer>) => undefined>(queue.submit);
    const answer = nudged({ submit }, queue.wait, true);
    await vi.advanceTimersByTimeAsync(20);
    expect(await answer).toBe("done");
    const count = submit.mock.calls.length;
    expect(submit).toHaveBeenCalledWith([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(submit.mock.calls.length).toBe(count);
  });

  it("stops when the wait fails", async () => {
    const submit = vi.fn<(commands: Iterable<GPUCommandBuffer>) => undefined>();
    await expect(nudged({ submit }, Promise.reject(new Error("lost")), true)).rejects.toThrow("lost");
    const count = submit.mock.calls.length;
    await vi.advanceTimersByTimeAsync(20);
    expect(submit.mock.calls.length).toBe(count);
  });

  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", true],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36",
      false,
    ],
  ])("knows who needs it: %s", async (userAgent, needs) => {
    vi.stubGlobal("navigator", { userAgent });
    const submit = vi.fn<(commands: Iterable<GPUCommandBuffer>) => undefined>();
    const wait = nudged({ submit }, new Promise((resolve) => setTimeout(resolve, 20)));
    await vi.advanceTimersByTimeAsync(20);
    await wait;
    expect(submit.mock.calls.length > 0).toBe(needs);
  });
});
