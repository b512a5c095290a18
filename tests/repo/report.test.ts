import { describe, expect, it } from "vitest";
import { countProgress, countTests, namesOfFailures } from "../../scripts/lib/report.mjs";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("countTests", () => {
  it("counts the tests of all files", () => {
    const report = {
      testResults: [file("passed", "passed", "passed"), file("failed", "passed", "failed", "failed")],
    };
    expect(countTests(report, 1)).toEqual({ passed: 3, failed: 2 });
  });

  it("counts a file that could not be loaded as one failure", () => {
    const report = { testResults: [file("passed", "passed"), file("failed")] };
    expect(countTests(report, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it("counts an error outside the tests as one failure", () => {
    expect(countTests({ testResults: [file("passed", "passed")] }, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it("takes a run without any test as failed, even where the tool says it went well", () => {
    expect(countTests({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1 });
    expect(countTests({ testResults: [file("passed", "skipped")] }, 0)).toEqual({ passed: 0, failed: 1 });
  });

  it("takes a run without a report as failed", () => {
    expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
  });
});

describe("namesOfFailures", () => {
  it("names failed tests and files that could not be loaded, with the beginning of what they said", () => {
    const report = {
      testResults: [
        {
          ...file("failed"),
          name: "a.test.ts",
          assertionResults: [
            { status: "passed", fullName: "one" },
            { status: "failed", fullName: "two", failureMessages: ["expected 1\n  at a.test.ts:3"] },
            { status: "failed", fullName: "long", failureMessages: ["line\n".repeat(100)] },
          ],
        },
        { ...file("failed"), name: "b.test.ts", message: "no such module" },
        { ...file("passed", "passed"), name: "c.test.ts" },
      ],
    };
    const [two, long, broken, ...none] = namesOfFailures(report);
    expect(two).toBe("a.test.ts > two\n    expected 1\n      at a.test.ts:3");
    expect(long?.split("\n")).toHaveLength(13);
    expect(broken).toBe("b.test.ts\n    no such module");
    expect(none).toEqual([]);
    expect(namesOfFailures(undefined)).toEqual([]);
  });
});

describe("countProgress", () => {
  it("counts what ended, and names what was running as failed", () => {
    const lines = [
      { begun: "a.test.ts" },
      { begun: "b.test.ts" },
      { begun: "a.test.ts", test: "one" },
      { ended: "a.test.ts", test: "one", state: "passed" },
      { begun: "b.test.ts", test: "two" },
      { begun: "a.test.ts", test: "three" },
      { ended: "a.test.ts", test: "three", state: "failed" },
      { ended: "a.test.ts", state: "failed" },
      { begun: "c.test.ts" },
    ];
    expect(countProgress(lines)).toEqual({
      passed: 1,
      failed: 3,
      running: ["b.test.ts > two", "c.test.ts"],
    });
  });

  it("takes a run that was killed between its tests as failed", () => {
    expect(countProgress([])).toEqual({ passed: 0, failed: 1, running: [] });
  });
});
