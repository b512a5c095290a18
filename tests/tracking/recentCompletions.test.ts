import { describe, expect, it } from "vitest";
import { loggedCompletions, withCompletions } from "../../src/tracking/history.ts";
import type { CompletionsReport } from "../../src/tracking/observer.ts";
import { completionsReport } from "./completionReports.ts";

/** What is kept after these reports. */
const after = (...reports: readonly CompletionsReport[]) =>
  reports.reduce<readonly CompletionsReport[]>(withCompletions, []);
const generations = (reports: readonly CompletionsReport[]) => reports.map(({ generation }) => generation);

describe("completions that are kept", () => {
  it("are whole reports of 2,048 records together: the first, and more of the newest than of those between", () => {
    const kept = generations(
      after(...Array.from({ length: 100 }, (_, index) => completionsReport(index + 1, 250))),
    );
    expect(kept).toHaveLength(8);
    expect([kept[0], kept.at(-1)]).toEqual([1, 100]);
    const gaps = kept.slice(1).map((generation, i) => generation - (kept[i] ?? 0));
    expect(gaps.slice(1).every((gap, i) => gap <= (gaps[i] ?? 0) + 1)).toBe(true);
  });

  it("are the newest at least, however large it is", () => {
    expect(generations(after(completionsReport(1, 2), completionsReport(2, 3000)))).toEqual([2]);
    expect(generations(after(completionsReport(1, 3000), completionsReport(2, 2)))).toEqual([2]);
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
