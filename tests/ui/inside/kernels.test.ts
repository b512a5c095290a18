import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMilliseconds } from "../../../src/ui/lib/format.ts";
import {
  byName,
  countedNames,
  largest,
  millisecondsPerRun,
  shareOfTime,
  slotRanges,
} from "../../../src/ui/pages/run/kernels/useKernels.ts";
import { fakeKernels } from "../support/fakeKernels.ts";

const programs = fakeKernels("webgpu", 2);
const [turn, reset] = byName(programs).toReversed();
if (turn?.name !== "DQN.turn" || reset === undefined) throw new Error("The pretended programs changed.");

describe("programs", () => {
  it("have an order that does not depend on their numbers", () => {
    expect(byName(programs).map(({ name }) => name)).toEqual([
      "CartPole-v1.reset",
      "DQN.evaluate",
      "DQN.turn",
    ]);
    expect(byName(programs.toReversed())).toEqual(byName(programs));
  });

  it("open at the one with the most code", () => {
    expect(largest(programs)?.name).toBe("DQN.turn");
    expect(largest([])).toBeUndefined();
  });

  it("have a time per run of the runs that were timed", () => {
    expect(millisecondsPerRun({ ...turn, time_ms: 50, timed_runs: 20, runs: 100 })).toBe(2.5);
    expect(millisecondsPerRun({ ...turn, time_ms: 0, timed_runs: 0 })).toBeNull();
    expect(millisecondsPerRun({ ...turn, time_ms: null })).toBeNull();
  });

  it("share the time that was measured, and all of it", () => {
    const shares = programs.map((program) => shareOfTime(program, programs) ?? 0);
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    const untimed = programs.map((program) => ({ ...program, time_ms: null }));
    expect(untimed.map((program) => shareOfTime(program, untimed))).toEqual([null, null, null]);
    expect(shareOfTime({ ...turn, time_ms: 0, timed_runs: 0 }, programs)).toBeNull();
  });

  it("tell their members as ranges", () => {
    expect(slotRanges([0, 1, 2, 5, 7, 8])).toBe("0–2, 5, 7–8");
    expect(slotRanges([])).toBe("");
  });

  it("lose no member in ranges", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99)), (slots) => {
        const ascending = slots.toSorted((a, b) => a - b);
        const read = slotRanges(ascending)
          .split(", ")
          .filter((range) => range !== "")
          .flatMap((range) => {
            const [from = 0, to = from] = range.split("–").map(Number);
            return Array.from({ length: to - from + 1 }, (_, i) => from + i);
          });
        expect(read).toEqual(ascending);
      }),
    );
  });

  it("count kernels of one name", () => {
    expect(countedNames(["b", "a", "b"])).toEqual([
      { name: "b", count: 2 },
      { name: "a", count: 1 },
    ]);
  });
});

describe("formatMilliseconds", () => {
  it.each([
    [0, "0 ms"],
    [0.004662, "4.66 µs"],
    [0.4217, "0.422 ms"],
    [12.34, "12.3 ms"],
    [999.4, "999 ms"],
    [999.6, "1 s"],
    [12_345, "12.3 s"],
    [200_000, "3 min 20 s"],
    [Number.NaN, "–"],
  ])("writes %d as %s", (ms, text) => {
    expect(formatMilliseconds(ms)).toBe(text);
  });
});
