import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../scripts/lib/testProgress.mjs";

const ended = (file: string, test: string, state: string, ...errors: string[]) => ({
  ended: file,
  test,
  state,
  errors,
});
const passed = { passed: 1, failed: 0, failures: [] };

describe("the outcome of a run that came to its end", () => {
  it("counts the tests of all files, and names those that failed with the beginning of what they said", () => {
    const lines = [
      { begun: "a.test.ts" },
      ended("a.test.ts", "one", "passed"),
      ended("a.test.ts", "two", "failed", "expected 1\n  at a.test.ts:3"),
      ended("a.test.ts", "long", "failed", "line\n".repeat(100)),
      ended("a.test.ts", "left out", "skipped"),
      { ended: "a.test.ts", state: "failed", errors: [] },
      { over: true } as const,
    ];
    const { failures, ...counts } = outcomeOf(lines, 1);
    expect(counts).toEqual({ passed: 1, failed: 2 });
    expect(failures[0]).toBe("a.test.ts > two\n    expected 1\n      at a.test.ts:3");
    expect(failures[1]?.split("\n")).toHaveLength(13);
    expect(failures).toHaveLength(2);
  });

  it("counts a file that could not be loaded as one failure", () => {
    const lines = [
      ended("a.test.ts", "one", "passed"),
      { ended: "b.test.ts", state: "failed", errors: ["no such module"] },
      { over: true } as const,
    ];
    expect(outcomeOf(lines, 1)).toEqual({
      passed: 1,
      failed: 1,
      failures: ["b.test.ts\n    no such module"],
    });
  });

  it("counts an error outside the tests as one failure", () => {
    const lines = [ended("a.test.ts", "one", "passed"), { over: true } as const];
    expect(outcomeOf(lines, 0)).toEqual(passed);
    expect(outcomeOf(lines, 1)).toEqual({ ...passed, failed: 1 });
  });

  it("takes a run without any test as failed, even where the tool says it went well", () => {
    const nothing = { passed: 0, failed: 1, failures: [] };
    expect(outcomeOf([{ over: true }], 0)).toEqual(nothing);
    expect(outcomeOf([ended("a.test.ts", "one", "skipped"), { over: true }], 0)).toEqual(nothing);
  });
});

describe("the outcome of a run that was killed", () => {
  it("counts what ended, and names what was running as failed", () => {
    const lines = [
      { begun: "a.test.ts" },
      { begun: "b.test.ts" },
      { begun: "a.test.ts", test: "one" },
      ended("a.test.ts", "one", "passed"),
      { begun: "b.test.ts", test: "two" },
      { begun: "a.test.ts", test: "three" },
      ended("a.test.ts", "three", "failed"),
      { ended: "a.test.ts", state: "failed" },
      { begun: "c.test.ts" },
    ];
    expect(outcomeOf(lines, 1)).toEqual({
      passed: 1,
      failed: 3,
      failures: ["a.test.ts > three", "b.test.ts > two (was running)", "c.test.ts (was running)"],
      running: ["b.test.ts > two", "c.test.ts"],
    });
  });

  it("fails also where it was killed between its tests, or wrote nothing", () => {
    expect(outcomeOf([], 0)).toEqual({ passed: 0, failed: 1, failures: [], running: [] });
  });
});
