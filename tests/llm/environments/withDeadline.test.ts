import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimeoutError, withDeadline } from "../../../src/llm/environments/withDeadline.ts";

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
    const round = withDeadline([Promise.resolve(1), never, never], { seconds: 600, what: "step of turn 2" });
    const outcome = expect(round).rejects.toThrow(
      new TimeoutError("step of turn 2: 2 of 3 did not finish within 600 s: trajectories 1, 2"),
    );
    await vi.advanceTimersByTimeAsync(600_000);
    await outcome;
    const many = withDeadline(
      Array.from({ length: 40 }, () => never),
      { seconds: 1, what: "reset" },
    );
    const listed = expect(many).rejects.toThrow("13, 14, 15 and 24 more");
    await vi.advanceTimersByTimeAsync(1000);
    await listed;
  });

  it("waits for ever without one, and fails with the first failure", async () => {
    withDeadline([never], { seconds: null, what: "reset" }).catch(() => expect.unreachable());
    expect(vi.getTimerCount()).toBe(0);
    const fault = new Error("broken");
    await expect(withDeadline([never, Promise.reject(fault)], { seconds: 9, what: "reset" })).rejects.toBe(
      fault,
    );
    expect(vi.getTimerCount()).toBe(0);
  });
});
