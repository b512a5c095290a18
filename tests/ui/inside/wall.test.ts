/** Who is on the wall, and when. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { agentChoices } from "../../../src/ui/pages/run/agents/agentChoices.tsx";
import { WallFeed } from "../../../src/ui/pages/run/wall/WallFeed.ts";
import { wallCopies } from "../../../src/ui/pages/run/wall/wallCopies.ts";
import { wallMembers } from "../../../src/ui/pages/run/wall/wallMembers.ts";
import type { AgentFile } from "../../../src/workers/protocol.ts";
import { historyOf } from "../support/histories.ts";
import { FakeCoordinator } from "./support/fakeCoordinator.ts";

const file = (index: number, generation: number, fitness: number | null): AgentFile => ({
  bytes: new Uint8Array(),
  environment: "CartPole-v1",
  env_config: null,
  module: null,
  generation,
  index,
  fitness,
});

/** Reports of a run of 4 that nobody trained. */
function reports(count: number): readonly GenerationReport[] {
  const run = new FakeCoordinator().add({ training: { pop_size: 4 } });
  for (let generation = 0; generation < count; generation++) run.generation();
  return run.generations;
}

const nobody = { reportOf: () => undefined, columns: null, colourOf: (_index: number, slot: number) => slot };

describe("members of the wall", () => {
  it("have no rank before they are evaluated, then the first has the highest fitness", () => {
    const first = wallMembers(
      [0, 1, 2].map((index) => file(index, 0, null)),
      [],
      nobody,
    );
    expect(first.map(({ rank }) => rank)).toEqual([null, null, null]);
    const files = [5, 9, 5, null].map((fitness, index) => file(index, 1, fitness));
    const ranked = wallMembers(files, first, nobody);
    expect(ranked.map(({ rank }) => rank)).toEqual([2, 1, 2, null]);
    expect(ranked.map(({ tag }) => tag)).toEqual([null, null, null, null]);
    const tied = [9, 9, 5].map((fitness, index) => file(index, 1, fitness));
    const elites = wallMembers(tied, [], nobody).map(({ elite }) => elite);
    expect(elites).toEqual([true, false, false]);
    expect(first.some(({ elite }) => elite)).toBe(false);
  });

  it("know those that they descend from, over generations that nobody saw", () => {
    const all = reports(6);
    const reportOf = (generation: number) => all[generation - 1];
    const run = { ...nobody, reportOf, columns: historyOf(all) };
    const [start, end] = [all[0], all[5]];
    if (!start || !end) throw new Error("no reports");
    const of = ({ members, generation }: GenerationReport) =>
      members.map(({ index, fitness }) => file(index, generation, fitness));
    const before = wallMembers(of(start), [], run);
    const now = wallMembers(of(end), before, run);
    const founders = new Set(before.map(({ index }) => index));
    for (const { index, ancestors } of now)
      expect([index, ...ancestors].some((one) => founders.has(one))).toBe(true);
    const clones = end.members.filter(
      ({ index, parent }) => parent !== null && parent !== index && !founders.has(index),
    );
    const parents = clones.map(({ index }) => now.find((member) => member.index === index)?.ancestors[0]);
    expect(parents).toEqual(clones.map(({ parent }) => parent));
    expect(now.filter(({ index, tag }) => founders.has(index) && tag !== null)).toEqual([]);
    expect(now.some(({ tag }) => tag !== null)).toBe(true);
  });
});

describe("copies of the champion", () => {
  const [first] = reports(1);
  if (!first) throw new Error("no report");
  // A past generation of which only the champion is kept, whose slot the report knows.
  const [member] = wallMembers([file(2, 1, 9)], [], nobody);
  const perturbed = (hyperparameters: Readonly<Record<string, number>>) => ({
    ...first,
    members: first.members.map((own, slot) => ({ ...own, index: slot, slot, steps: 300, hyperparameters })),
  });
  const copiesOf = (report: GenerationReport | undefined) =>
    wallCopies(member ? [member] : [], { report, seed: 7, steps: 1000 });

  it("are those of the next iteration, at most 256", () => {
    const copies = copiesOf(perturbed({ perturbations: 300, sigma: 0.1 }));
    expect(copies).toMatchObject({ shown: 256, perturbations: 300, sigma: 0.1 });
    expect(copies?.players[5]).toMatchObject({
      key: "2~5",
      ancestors: ["2"],
      copy: { seed: 7, slot: 2, generation: 2, progress: 0.3, copy: 5 },
    });
  });

  it("are none for other algorithms, and without a report", () => {
    expect(copiesOf(perturbed({ lr: 0.1 }))).toBeNull();
    expect(copiesOf(undefined)).toBeNull();
  });
});

describe("what plays beside a member", () => {
  it("is offered by where it is kept, the newest first", () => {
    const kept = [
      { ref: { kind: "elite" }, index: 9, generation: 7, fitness: 3 },
      { ref: { kind: "member", index: 8 }, index: 8, generation: 7, fitness: null },
      { ref: { kind: "fame", generation: 1 }, index: 1, generation: 1, fitness: 1 },
      { ref: { kind: "fame", generation: 5 }, index: 6, generation: 5, fitness: 2 },
      { ref: { kind: "checkpoint", generation: 4, index: null }, index: 5, generation: 4, fitness: 2 },
    ] as const;
    const groups = agentChoices(kept);
    expect(groups.map(({ title }) => title)).toEqual(["Current", "Members", "Hall of fame", "Checkpoints"]);
    expect(groups.flatMap(({ choices }) => choices.map(({ label }) => label))).toEqual([
      "Elite, #9, fitness 3.0",
      "Member #8",
      "Best of generation 5, #6, fitness 2.0",
      "Best of generation 1, #1, fitness 1.0",
      "Checkpoint of generation 4, elite #5, fitness 2.0",
    ]);
    const keys = groups.flatMap(({ choices }) => choices.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("the wall's feed", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function feedOf(answers: readonly (() => Promise<readonly AgentFile[]>)[]) {
    const shown: number[] = [];
    const problems: (string | null)[] = [];
    let reads = 0;
    const feed = new WallFeed({
      read: () => {
        reads += 1;
        return (answers[reads - 1] ?? answers.at(-1) ?? (async () => []))();
      },
      show: (files) => shown.push(files[0]?.generation ?? -1),
      problem: (message) => problems.push(message),
    });
    return { feed, shown, problems, reads: () => reads };
  }
  const generation = (number: number) => async () => [file(0, number, null)];

  it("reads at once, then not more often than anybody can watch, and never twice the same", async () => {
    const { feed, shown, reads } = feedOf([generation(0), generation(3), generation(4)]);
    feed.news();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([0]);
    for (let i = 0; i < 3; i++) feed.news();
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown).toEqual([0]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shown).toEqual([0, 3]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads()).toBe(2);
    feed.news();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([0, 3, 4]);
    feed.close();
  });

  it("reads without a rest what somebody asked for, also while it reads", async () => {
    const { feed, shown } = feedOf([generation(0), generation(3), generation(4), generation(5)]);
    feed.news();
    await vi.advanceTimersByTimeAsync(0);
    feed.asked();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([0, 3]);
    feed.asked();
    feed.asked();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([0, 3, 4, 5]);
    feed.news();
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown).toHaveLength(4);
    feed.close();
  });

  it("reads nothing while it is out of sight or covered", async () => {
    const { feed, shown } = feedOf([generation(1)]);
    feed.look("seen", false);
    feed.look("uncovered", false);
    feed.news();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown).toEqual([]);
    feed.look("seen", true);
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([]);
    feed.look("uncovered", true);
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([1]);
    feed.close();
  });

  it("tries again when a member was gone, and says so when it goes on", async () => {
    const gone = async () => {
      throw new Error("The member 3 of the last generation is not stored; choose another agent.");
    };
    const { feed, shown, problems, reads } = feedOf([gone, gone, gone, generation(2)]);
    feed.news();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([reads(), problems]).toEqual([
      3,
      ["The member 3 of the last generation is not stored; choose another agent."],
    ]);
    feed.news();
    await vi.advanceTimersByTimeAsync(0);
    expect([shown, problems.at(-1)]).toEqual([[2], null]);
    feed.close();
  });
});
