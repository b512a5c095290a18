import { describe, expect, it } from "vitest";
import { builtInTemplate } from "../../../src/manifests/templates.ts";
import { trainsOnText } from "../../../src/specs/sections.ts";
import type { CompletionRecord, CompletionsReport } from "../../../src/tracking/observer.ts";
import { completionGroups } from "../../../src/ui/pages/run/overview/CompletionsPanel.tsx";
import { noCompletionsText } from "../../../src/ui/pages/run/runTexts.ts";
import { completionRecord } from "../../tracking/completionReports.ts";
import { fakeSummary } from "../support/fakeSummary.ts";

const reportOf = (
  generation: number,
  ...records: readonly Partial<CompletionRecord>[]
): CompletionsReport => ({
  event: "completions",
  generation,
  records: records.map((record) => completionRecord({ step: generation, ...record })),
});

/** The members' indices in these tests. */
const memberOf = (generation: number, slot: number): number => 10 * generation + slot;

describe("completions on a run's page", () => {
  it("are grouped by prompt, newest first, and counted where a member repeats itself", () => {
    const groups = completionGroups(
      [
        reportOf(1, { prompt: "1", completion: "0" }, { prompt: "2", completion: "0" }),
        reportOf(
          2,
          { prompt: "1", completion: "3", agent_index: 1 },
          { prompt: "1", completion: "2", reward: 1 },
          { prompt: "1", completion: "2", reward: 1 },
        ),
      ],
      memberOf,
    );
    const shown = { iteration: 2, member: 20, count: 1 };
    expect(groups).toEqual([
      {
        prompt: "1",
        completions: [
          { ...shown, completion: "2", reward: 1, count: 2 },
          { ...shown, completion: "3", reward: -1, member: 21 },
          { ...shown, completion: "0", reward: -1, iteration: 1, member: 10 },
        ],
      },
      { prompt: "2", completions: [{ ...shown, completion: "0", reward: -1, iteration: 1, member: 10 }] },
    ]);
  });

  it("keep their place among prompts that were answered at the same time", () => {
    const groups = completionGroups(
      [reportOf(1, { prompt: "b" }, { prompt: "a" }, { prompt: "c" })],
      memberOf,
    );
    expect(groups.map(({ prompt }) => prompt)).toEqual(["a", "b", "c"]);
  });

  it("are the newest 8 of the newest 24 prompts", () => {
    const reports = Array.from({ length: 40 }, (_, index) =>
      reportOf(index + 1, { prompt: `${index}` }, ...(index === 39 ? [] : [{ prompt: "39" }])),
    );
    const groups = completionGroups(reports, memberOf);
    expect(groups).toHaveLength(24);
    expect(groups[0]?.prompt).toBe("39");
    expect(groups[0]?.completions.map(({ iteration }) => iteration)).toEqual([
      40, 39, 38, 37, 36, 35, 34, 33,
    ]);
  });

  it("are for runs of language models, but those that compare", () => {
    const manifests = [
      builtInTemplate("grpo-next-digit"),
      builtInTemplate("dpo-polite"),
      builtInTemplate("ppo-cartpole"),
    ].map(({ manifest }) => manifest);
    expect(manifests.map(trainsOnText)).toEqual([true, true, false]);
    const stopped = fakeSummary({ generation: 0 });
    const texts = manifests.map((manifest) => noCompletionsText(stopped, manifest));
    expect(texts.map((text) => text.includes("which of two given answers"))).toEqual([false, true, false]);
    expect([null, "text", {}, { environment: null }].map(trainsOnText)).toEqual([false, false, false, false]);
  });
});
