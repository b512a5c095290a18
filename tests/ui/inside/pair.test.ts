import { describe, expect, it } from "vitest";
import { pairOf, pairText } from "../../../src/ui/pages/run/evolution/pairText.ts";
import { evolves } from "../../../src/ui/pages/run/runTexts.ts";
import { fakeSummary } from "../support/fakeSummary.ts";

const champion = (fitness: number) => ({ index: 0, fitness, episodes: 30, candidates: 3, played: 90 });
const run = fakeSummary({ id: "a", state: "finished", champion: champion(480), global_step: 60_000 });
const still = fakeSummary({
  id: "b",
  state: "finished",
  compared_with: "a",
  champion: champion(420.5),
  global_step: 60_032,
});

describe("a pair", () => {
  it("is found from both runs, the newest if there are several", () => {
    const older = { ...still, id: "c", created_at: still.created_at - 1 };
    const runs = [older, run, still];
    expect(pairOf(run, runs)).toEqual({ evolved: run, still });
    expect(pairOf(still, runs)).toEqual({ evolved: run, still });
    expect(pairOf(older, runs)).toEqual({ evolved: run, still: older });
  });

  it("is none for other runs, and when one of both is gone", () => {
    expect(pairOf(run, [run])).toBeNull();
    expect(pairOf(still, [still])).toBeNull();
  });

  it("says what both delivered after how many steps, and that it is one seed", () => {
    const text = pairText({ evolved: run, still });
    expect(text).toContain("With evolution: 480.0 after 60,000 steps (mean of 30 final episodes).");
    expect(text).toContain("Without: 420.5 after 60,032 steps (mean of 30 final episodes).");
    expect(text).toMatch(/better agent here\. This is one seed/);
    expect(pairText({ evolved: { ...run, champion: champion(1) }, still })).toContain("worse agent here");
  });

  it("concludes nothing before both have finished, nor from single evaluations", () => {
    const training = { ...still, state: "running", champion: null, best_fitness: 100 } as const;
    const text = pairText({ evolved: run, still: training });
    expect(text).toContain("100.0 after 60,032 steps (best single evaluation, which luck favours)");
    expect(text).toMatch(/complete when both runs have finished\.$/);
    const bare = { ...training, state: "finished" } as const;
    expect(pairText({ evolved: run, still: bare })).not.toMatch(/better|worse/);
    expect(pairText({ evolved: run, still: { ...training, best_fitness: null } })).toContain("no score yet");
  });
});

describe("a run evolves", () => {
  it.each([
    [true, { training: { hpo: "search" } }],
    [true, { tournament_selection: { strategy: "tournament" }, mutation: {} }],
    [true, { tournament_selection: { strategy: "truncation" } }],
    [false, { tournament_selection: { strategy: "tournament" } }],
    [false, { tournament_selection: { strategy: "none" }, mutation: {} }],
    [false, { training: { hpo: true, pop_size: 1 } }],
    [false, {}],
  ])("%s: %j", (expected, manifest) => {
    expect(evolves(manifest)).toBe(expected);
  });
});
