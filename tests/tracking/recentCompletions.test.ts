import { describe, expect, it } from "vitest";
import { loggedCompletions, withCompletions } from "../../src/tracking/history.ts";
import type { CompletionsReport } from "../../src/tracking/observer.ts";
import { completionsReport } from "./completionReports.ts";

/** What is kept after these reports. */
const after = (...reports: readonly CompletionsReport[]) =>
  reports.reduce<readonly CompletionsReport[]>(withCompletions, []);
const generations = (reports: readonly CompletionsReport[]) => reports.map(({ generation }) => generation);

describe("completions that are kept", () => {
  it("are whole reports of 512 records together, the newest last", () => {
    const reports = Array.from({ length: 20 }, (_, index) => completionsReport(index + 1, 100));
    expect(generations(after(...reports))).toEqual([16, 17, 18, 19, 20]);
  });

  it("are the newest at least, however large it is", () => {
    expect(generations(after(completionsReport(1, 2), completionsReport(2, 1000)))).toEqual([2]);
    expect(generations(after(completionsReport(1, 1000), completionsReport(2, 2)))).toEqual([2]);
  });

  it("are no others where a report repeats what was told", () => {
    const [first, second] = [completionsReport(1), completionsReport(2)];
    expect(after(first, second, first, second)).toEqual([first, second]);
    expect(after(first, { ...completionsReport(5), level: "error" })).toEqual([first]);
  });
});

describe("completions in a log", () => {
  it("are all of them where they are short", () => {
    const report = completionsReport(1, 64, 100);
    expect(loggedCompletions(report)).toBe(report);
  });

  it("are the first ones of 64,000 characters, and one at least", () => {
    // Prompts have one character.
    expect(loggedCompletions(completionsReport(1, 64, 9_999)).records).toHaveLength(6);
    expect(loggedCompletions(completionsReport(1, 64, 100_000)).records).toHaveLength(1);
  });
});
