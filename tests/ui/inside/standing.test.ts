import { describe, expect, it } from "vitest";
import { stepsText } from "../../../src/ui/pages/run/overview/RunStrip.tsx";
import { standingOf } from "../../../src/ui/pages/run/runTexts.ts";
import type { RunSummary } from "../../../src/workers/protocol.ts";
import { fakeSummary } from "../support/fakeSummary.ts";

const at = new Date(2026, 4, 3, 14, 30).getTime();
const run = (part: Partial<RunSummary>): RunSummary =>
  fakeSummary({ generation: 44, global_step: 180_224, ...part });
const finished = (reason: NonNullable<RunSummary["end"]>["reason"]): RunSummary =>
  run({ state: "finished", end: { reason, at } });
const text = (summary: RunSummary, training: Readonly<Record<string, unknown>> = {}): string | undefined =>
  standingOf(summary, { training })?.text;

describe("a finished run says why and when", () => {
  const when = "Finished on May 3, 2026, 2:30 PM, after 44 generations and 180,224 steps";

  it.each([
    ["target", { target_score: 475 }, ": every member's fitness is above the target of 475.0."],
    ["max_steps", {}, ": it has taken all of its steps."],
    ["max_steps", { num_epochs: 1 }, ": it has trained for 1 epoch."],
    ["max_wall_seconds", { max_wall_seconds: 90 }, ": its time limit of 1 min 30 s is over."],
    [null, {}, "."],
  ] as const)("%s of %j", (reason, training, words) => {
    expect(text(finished(reason), training)?.replace("\u202f", " ")).toBe(`${when}${words}`);
  });

  it("without a time, if an earlier version ended it", () => {
    expect(text(run({ state: "finished" }))).toBe("Finished, after 44 generations and 180,224 steps.");
  });
});

describe("a run that does not train", () => {
  it("was stopped, with or without something to resume from", () => {
    const end = { reason: "stopped", at } as const;
    expect(text(run({ state: "stopped", end }))).toContain("Resume continues from there.");
    expect(text(run({ state: "stopped", end, generation: 0 }))).toContain(
      "before the first generation ended: nothing of its training was saved. Resume starts from the beginning.",
    );
  });

  it("says what it did when its tab was closed, and where it resumes", () => {
    const last_checkpoint = { generation: 44, global_step: 180_224, at };
    const closed = run({ state: "interrupted", end: { reason: "closed_paused", at }, last_checkpoint });
    expect(text(closed)).toBe(
      "The tab was closed or reloaded while this run was paused. Resume continues from its last checkpoint, generation 44, as if the run had not been interrupted.",
    );
    const behind = run({
      state: "interrupted",
      end: { reason: "closed", at },
      last_checkpoint: { ...last_checkpoint, generation: 40 },
    });
    expect(text(behind)).toContain("while this run was training");
    expect(text(behind)).toContain("generation 40, and trains the later generations again");
    expect(text(run({ state: "interrupted" }))).toContain("Resume starts from the beginning");
    expect(standingOf(closed, {})?.warns).toBe(true);
  });

  it("waits for the runs before it, and says nothing while it trains or is paused", () => {
    expect(text(run({ state: "stopped", waiting: true }))).toContain("Queued");
    expect(standingOf(run({ state: "running" }), {})).toBeNull();
    expect(standingOf(run({ state: "paused" }), {})).toBeNull();
  });
});

it("counts steps against what was requested, unless the run may end before", () => {
  expect(stepsText(10, 40)).toBe("10 of 40 steps");
  expect(stepsText(10, 40, true)).toBe("10 of at most 40 steps");
  expect(stepsText(50, 40)).toBe("50 steps (40 requested)");
  expect(stepsText(50, null)).toBe("50 steps");
});
