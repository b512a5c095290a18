import { describe, expect, it } from "vitest";
import { builtInTemplate } from "../../../src/manifests/templates.ts";
import {
  HOLDS,
  noCheckpointText,
  noCompletionsText,
  noEventsText,
  noFitnessText,
  noGenerationText,
} from "../../../src/ui/pages/run/runTexts.ts";
import type { RunSummary } from "../../../src/workers/protocol.ts";
import { fakeSummary } from "../support/fakeSummary.ts";

const run = (part: Partial<RunSummary>): RunSummary =>
  fakeSummary({ generation: 0, state: "running", ...part });

describe("a run without a generation says why, by its state", () => {
  it.each([
    [{ state: "running" }, "The first generation is being trained"],
    [{ state: "paused" }, "Resume it to continue"],
    [{ state: "queued" }, "waits for a worker of the platform"],
    [{ state: "stopped", waiting: true }, "when the runs before it have ended"],
    [{ state: "stopped", fetch: { dataset: "a/b-v0", received: 0, total: null } }, "being downloaded"],
    [{ state: "stopped" }, "nothing of it was saved"],
    [{ state: "interrupted" }, "Resume starts from the beginning"],
    [{ state: "failed" }, "failed before its first generation"],
    [{ state: "finished" }, "ended without a generation"],
  ] as const)("%j", (part, words) => {
    expect(noGenerationText(run(part))).toContain(words);
    // Views that wait for something else too say the same as long as there is no generation.
    const manifest = builtInTemplate("dqn-cartpole").manifest;
    expect(noFitnessText(run(part), manifest)).toBe(noGenerationText(run(part)));
    expect(noEventsText(run(part), manifest, null)).toBe(noGenerationText(run(part)));
    expect(noCheckpointText(run(part))).toBe(noGenerationText(run(part)));
    expect(noCompletionsText(run(part))).toBe(noGenerationText(run(part)));
  });
});

describe("a run without a point of fitness", () => {
  const manifest = {
    ...builtInTemplate("grpo-next-digit").manifest,
    training: { ...builtInTemplate("grpo-next-digit").manifest.training, evaluation_interval: 10 },
  };

  it("names the generation whose evaluation is the first", () => {
    expect(noFitnessText(run({ generation: 9 }), manifest)).toBe(
      "This run evaluates its members every 10 generations. The first point appears when generation 10 ends.",
    );
  });

  it("says, when it has ended, that it never got there", () => {
    const text = noFitnessText(run({ generation: 9, state: "stopped" }), manifest);
    expect(text).toContain("every 10 generations");
    expect(text).not.toContain("appears");
  });

  it("is one whose evaluations failed, if some are over", () => {
    expect(noFitnessText(run({ generation: 12 }), manifest)).toContain("none of the evaluations succeeded");
    expect(noFitnessText(run({ generation: 1 }), builtInTemplate("dqn-cartpole").manifest)).toContain(
      "none of the evaluations succeeded",
    );
  });
});

describe("a run without events", () => {
  const { manifest } = builtInTemplate("dqn-cartpole");
  const still = {
    ...manifest,
    training: { ...manifest.training, hpo: false },
    mutation: null,
    selection_strategy: null,
  };

  it("says that it has no selection, at generation 40 too", () => {
    expect(noEventsText(run({ generation: 40 }), still, null)).toContain("no selection and mutation");
  });

  it("knows the strategies that need no mutation section, and the one that changes nothing", () => {
    const text = (strategy: string) =>
      noEventsText(run({ generation: 4 }), { ...still, selection_strategy: { strategy } }, null);
    expect(text("truncation")).toContain("No member has been replaced yet");
    expect(text("halving")).toContain("No member has been replaced yet");
    expect(text("tournament")).toContain("stay the same");
    expect(text("none")).toContain("stay the same");
  });

  it("says what happened up to the generation that is looked at", () => {
    expect(noEventsText(run({ generation: 40 }), manifest, 1)).toBe(
      "No member was replaced before generation 2.",
    );
  });

  it("does not promise events once it has ended", () => {
    expect(noEventsText(run({ generation: 1 }), manifest, null)).toContain("yet");
    expect(noEventsText(run({ generation: 1, state: "finished" }), manifest, null)).toBe(
      "No member was replaced in this run.",
    );
  });

  it("says how rarely a language model's members are selected", () => {
    const { manifest: text } = builtInTemplate("grpo-next-digit");
    const rare = { ...text, training: { ...text.training, hpo: true, evo_steps: 10 } };
    expect(noEventsText(run({ generation: 3 }), rare, null)).toContain("every 10 generations");
  });
});

it("says of missing checkpoints whether they come, failed or are gone", () => {
  expect(noCheckpointText(run({ generation: 3 }))).toBe("The first checkpoint is being saved.");
  expect(noCheckpointText(run({ generation: 3, unsaved: { since: 1, full: true, reason: "" } }))).toBe(
    "No checkpoint could be saved.",
  );
  expect(noCheckpointText(run({ generation: 3, state: "stopped" }))).toBe(
    "No checkpoint of this run is stored.",
  );
});

describe("empty views", () => {
  it.each(Object.entries(HOLDS))("say what belongs into %s in one sentence", (_, text) => {
    expect(text).toMatch(/^[A-Z][^.]+\.$/);
    expect(text.split(" ").length).toBeLessThanOrEqual(20);
  });
});
