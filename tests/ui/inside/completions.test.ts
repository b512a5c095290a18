import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInTemplate } from "../../../src/manifests/templates.ts";
import { trainsOnText } from "../../../src/specs/sections.ts";
import type { CompletionRecord, CompletionsReport } from "../../../src/tracking/observer.ts";
import { readsRows } from "../../../src/ui/languageModels/modelChoices.ts";
import { beforeAndAfter } from "../../../src/ui/pages/run/completions/beforeAfter.ts";
import {
  changeOf,
  completionPairs,
  countedCompletions,
  foundPrompts,
  promptHistories,
  recordLines,
} from "../../../src/ui/pages/run/completions/promptHistory.ts";
import { textDiff } from "../../../src/ui/pages/run/completions/textDiff.ts";
import { completionGroups } from "../../../src/ui/pages/run/overview/CompletionsPanel.tsx";
import { completionRecord } from "../../tracking/completionReports.ts";

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

  it("are of every run of a language model", () => {
    const manifests = [
      builtInTemplate("grpo-next-digit"),
      builtInTemplate("dpo-polite"),
      builtInTemplate("ppo-cartpole"),
    ].map(({ manifest }) => manifest);
    expect(manifests.map(trainsOnText)).toEqual([true, true, false]);
    expect(manifests.map(readsRows)).toEqual([false, true, false]);
    expect([null, "text", {}, { environment: null }].map(trainsOnText)).toEqual([false, false, false, false]);
  });
});

describe("completions around a prompt", () => {
  const reports = [
    reportOf(1, { prompt: "a", reward: 0 }, { prompt: "a", reward: 1, sample_index: 1 }, { prompt: "b" }),
    reportOf(
      3,
      { prompt: "a", reward: 1, completion: "Yes" },
      { prompt: "a", reward: 1, agent_index: 1, advantage: 0.5 },
    ),
  ];
  const histories = promptHistories(reports, memberOf);

  it("are steps with mean rewards, and with who wrote them", () => {
    expect(histories.map(({ prompt }) => prompt)).toEqual(["a", "b"]);
    const [a] = histories;
    expect(a?.steps.map(({ step, reward }) => [step, reward])).toEqual([
      [1, 0.5],
      [3, 1],
    ]);
    expect(a?.steps[1]?.completions.map(({ member, advantage }) => [member, advantage])).toEqual([
      [30, undefined],
      [31, 0.5],
    ]);
    expect(histories.map(changeOf)).toEqual([0.5, null]);
  });

  it("are found by their words, pinned prompts first", () => {
    const found = (words: string, ...pinned: string[]) =>
      foundPrompts(histories, words, new Set(pinned)).map(({ prompt }) => prompt);
    expect(found("", "b", "gone")).toEqual(["b", "a"]);
    expect(found(" YES ")).toEqual(["a"]);
    expect(found("no such")).toEqual([]);
  });

  it("pair up by member and sample", () => {
    const [first, last] = histories[0]?.steps ?? [];
    if (!first || !last) throw new Error("two steps are expected");
    expect(completionPairs(first, last).map(({ before, after }) => [before?.reward, after?.reward])).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(completionPairs(first, first).map(({ before, after }) => before === after)).toEqual([true, true]);
    const fewer = { ...last, completions: last.completions.slice(0, 1) };
    expect(completionPairs(first, fewer).map(({ before, after }) => [before?.reward, after?.reward])).toEqual(
      [
        [0, 1],
        [1, undefined],
      ],
    );
  });

  it("are one where a member repeats itself", () => {
    const [history] = promptHistories(
      [reportOf(1, { completion: "x" }, { completion: "x" }, { completion: "x", reward: 1 })],
      memberOf,
    );
    const [step] = history?.steps ?? [];
    expect(step && countedCompletions(step).map(({ count, written }) => [count, written.reward])).toEqual([
      [2, -1],
      [1, 1],
    ]);
  });

  it("are written as one record a line", () => {
    const lines = recordLines(histories)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ step }) => step)).toEqual([1, 1, 1, 3, 3]);
    expect(lines.at(-1)).toMatchObject({ prompt: "a", reward: 1, member: 31, advantage: 0.5 });
  });
});

describe("prompts before and after", () => {
  const wrote = (prompt: string, completion: string, reward: number, sample_index = 0) => ({
    prompt,
    completion,
    reward,
    sample_index,
  });
  const histories = promptHistories(
    [
      reportOf(
        1,
        wrote("b", "no", -1),
        wrote("b", "yes", 1, 1),
        wrote("b", "no", -1, 2),
        wrote("gone", "", 0),
      ),
      reportOf(2, wrote("a", "x", 0), wrote("late", "y", 0)),
      reportOf(5, wrote("b", "yes", 1), wrote("a", "z", -1)),
      reportOf(6, wrote("late", "y", 0)),
    ],
    memberOf,
  );

  it("are those that were answered first and again, with their most frequent completions and all changes", () => {
    const shown = beforeAndAfter(histories, 2);
    expect(shown.map(({ history, change }) => [history.prompt, change])).toEqual([
      ["b", 1 + 1 / 3],
      ["late", 0],
    ]);
    expect(shown[0]).toMatchObject({
      before: { step: 1, completion: "no", reward: -1, count: 2, of: 3 },
      after: { step: 5, completion: "yes", reward: 1, count: 1, of: 1 },
    });
    // A prompt that got worse is shown like any other.
    expect(beforeAndAfter(histories, 3)[0]).toMatchObject({ history: { prompt: "a" }, change: -1 });
  });

  it("are none while no prompt was answered twice", () => {
    expect(beforeAndAfter(promptHistories([reportOf(1, wrote("a", "x", 0))], memberOf), 5)).toEqual([]);
  });
});

describe("the difference of two texts", () => {
  it("is in whole words", () => {
    expect(textDiff("a red lamp", "a blue lamp, please")).toEqual([
      { kind: "same", text: "a " },
      { kind: "removed", text: "red" },
      { kind: "added", text: "blue" },
      { kind: "same", text: " lamp" },
      { kind: "added", text: ", please" },
    ]);
    expect(textDiff("x", "x")).toEqual([{ kind: "same", text: "x" }]);
    expect(textDiff("", "")).toEqual([]);
  });

  it("has both texts, without more changes than words", () => {
    const text = fc
      .array(fc.constantFrom("a", "bb", " ", "\n", "é", "😀", "."))
      .map((words) => words.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = textDiff(before, after);
        const without = (kind: string) =>
          parts
            .filter((part) => part.kind !== kind)
            .map((part) => part.text)
            .join("");
        expect([without("added"), without("removed")]).toEqual([before, after]);
        expect(parts.every(({ kind }, i) => kind !== parts[i - 1]?.kind)).toBe(true);
      }),
    );
  });

  it("is everything between common ends, where texts are too long to compare", () => {
    const long = (word: string) => `begin ${`${word} `.repeat(3000)}end`;
    expect(textDiff(long("a"), long("b")).map(({ kind }) => kind)).toEqual([
      "same",
      "removed",
      "added",
      "same",
    ]);
  });
});
