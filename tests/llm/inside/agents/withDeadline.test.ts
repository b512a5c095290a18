// @own-process: it counts timers, and what files before it have left at work sets some.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimeoutError } from "../../../../src/evolution/members.ts";
import { withDeadline } from "../../../../src/llm/agents/collectRollouts.ts";

const never = new Promise<number>(() => {});

describe("a round of environment calls", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives its values in order, and leaves no timer behind", async () => {
    const later = new Promise<number>((resolve) => setTimeout(() => resolve(1), 5000));
    const round = withDeadline([later, Promise.resolve(2)], { seconds: 600, what: "reset" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await round).toEqual([1, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends past its deadline, naming who did not finish", async () => {
    const faultOf = async (round: Promise<unknown>, seconds: number) => {
      const fault = round.then(
        () => null,
        (error: unknown) => error,
      );
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      return fault;
    };
    const step = withDeadline([Promise.resolve(1), never, never], { seconds: 600, what: "step of turn 2" });
    expect(await faultOf(step, 600)).toEqual(
      new TimeoutError("step of turn 2: 2 of 3 did not finish within 600 s: trajectories 1, 2"),
    );
    const forty = Array.from({ length: 40 }, () => never);
    expect(String(await faultOf(withDeadline(forty, { seconds: 1, what: "reset" }), 1))).toMatch(
      /trajectories 0, 1, .* 14, 15 and 24 more$/,
    );
  });

  it("waits for ever without one, and fails with the first failure", async () => {
    const fault = new Error("broken");
    const failing = [never, Promise.reject(fault)];
    await expect(withDeadline(failing, { seconds: null, what: "reset" })).rejects.toBe(fault);
    const waiting = withDeadline([never], { seconds: null, what: "reset" });
    expect([vi.getTimerCount(), await Promise.race([waiting, Promise.resolve("waits")])]).toEqual([
      0,
      "waits",
    ]);
    await expect(withDeadline(failing, { seconds: 9, what: "reset" })).rejects.toBe(fault);
    expect(vi.getTimerCount()).toBe(0);
  });
});
