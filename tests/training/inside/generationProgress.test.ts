import { afterEach, describe, expect, it, vi } from "vitest";
import { GenerationProgress, keptEpisodes } from "../../../src/training/loop/GenerationProgress.ts";

const MEMBERS = [
  { index: 7, parent: null },
  { index: 9, parent: 3 },
];
const WORK = { env_steps: 10, learn_steps: 1 };

/** Episodes that end at these steps, each with its step as return. */
const endedAt = (...steps: number[]) => steps.map((step) => [step, step] as const);
const rangeOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** Progress in a time that the test sets. */
function timed() {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const progress = new GenerationProgress(MEMBERS);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { progress, pass };
}

describe("training episodes in progress", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("name their member, and are told once", () => {
    const { progress, pass } = timed();
    progress.add({ ...WORK, slot: 1, episodes: endedAt(30, 40) });
    progress.add({ ...WORK, slot: 0, episodes: endedAt(20) });
    pass(1000);
    expect(progress.due()).toBe(true);
    expect(progress.report(0).episodes).toEqual([
      { index: 7, step: 20, return: 20 },
      { index: 9, step: 30, return: 30 },
      { index: 9, step: 40, return: 40 },
    ]);
    pass(1000);
    expect(progress.due()).toBe(true);
    expect(progress.report(0).episodes).toEqual([]);
  });

  it("are at most 20 a second of each member, the last among them", () => {
    const { progress, pass } = timed();
    for (const slot of [0, 1]) progress.add({ ...WORK, slot, episodes: endedAt(...rangeOf(1, 501)) });
    pass(500);
    expect(progress.due()).toBe(true);
    const { episodes = [] } = progress.report(0);
    expect(episodes.filter(({ index }) => index === 7)).toHaveLength(10);
    expect(episodes.filter(({ index }) => index === 9)).toHaveLength(10);
    expect(episodes.at(-1)?.step).toBe(500);
  });

  it("are not told again when lost work is repeated", () => {
    const { progress, pass } = timed();
    progress.add({ ...WORK, slot: 0, episodes: endedAt(10, 20) });
    progress.add({ env_steps: -10, learn_steps: -1, slot: 0, score: null });
    progress.add({ ...WORK, slot: 0, episodes: endedAt(10) });
    progress.add({ ...WORK, slot: 0, episodes: endedAt(20, 30) });
    pass(1000);
    expect(progress.due()).toBe(true);
    expect(progress.report(0).episodes?.map(({ step }) => step)).toEqual([10, 20, 30]);
  });

  it("are absent if no turn tells them", () => {
    const { progress, pass } = timed();
    progress.add({ ...WORK, slot: 0, score: 3 });
    pass(1000);
    expect(progress.due()).toBe(true);
    expect(progress.report(0)).not.toHaveProperty("episodes");
  });
});

describe("training episodes of a generation", () => {
  it("are fewer of each member the more members there are", () => {
    const many = endedAt(...rangeOf(0, 1000));
    expect([1, 8, 16, 1000].map((population) => keptEpisodes(many, population).length)).toEqual([
      64, 32, 16, 4,
    ]);
    expect(keptEpisodes(endedAt(5), 1000)).toEqual([[5, 5]]);
    expect(keptEpisodes([[1, Math.fround(0.1)]], 1)).toEqual([[1, 0.1]]);
  });
});
