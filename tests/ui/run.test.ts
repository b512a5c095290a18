import { describe, expect, it } from "vitest";
import type { GenerationReport } from "../../src/training/loop/observer.ts";
import {
  formatAgo,
  formatBytes,
  formatDuration,
  formatHyperparameter,
  formatScore,
} from "../../src/ui/lib/format.ts";
import { targetScore } from "../../src/ui/pages/run/fitness/targetScore.ts";
import { runActions } from "../../src/ui/pages/run/head/runActions.ts";
import { remainingSeconds } from "../../src/ui/pages/run/overview/remaining.ts";
import { ancestry } from "../../src/ui/pages/run/population/ancestry.ts";
import { NO_RUNS_YET, type RunList, runListAfter } from "../../src/ui/state/runList.ts";
import { LOCAL_RUN, PLATFORM_RUN } from "../../src/workers/runAbilities.ts";
import { generationReport } from "./support/reports.ts";

describe("runActions", () => {
  it.each([
    ["running", ["Pause", "Stop and save"]],
    ["paused", ["Resume", "Stop and save"]],
    ["interrupted", ["Resume", "Run again"]],
    ["stopped", ["Resume", "Run again"]],
    ["failed", ["Resume", "Run again"]],
    ["finished", ["Run again"]],
  ] as const)("offers for a %s run %j", (state, actions) => {
    expect(runActions({ can: LOCAL_RUN, state })).toEqual(actions);
  });

  it.each([
    ["queued", ["Stop and save"]],
    ["running", ["Pause", "Stop and save"]],
    ["stopped", ["Resume"]],
    ["finished", []],
  ] as const)("offers for a %s run of a platform %j", (state, actions) => {
    expect(runActions({ can: PLATFORM_RUN, state })).toEqual(actions);
  });
});

describe("runListAfter", () => {
  const list: RunList = {
    problem: null,
    readAt: 0,
    runs: [
      {
        id: "a",
        name: "A",
        state: "running",
        algorithm: "DQN",
        environment: "CartPole-v1",
        generation: 1,
        global_step: 100,
        best_fitness: 50,
        created_at: 0,
        updated_at: 0,
        bytes: 0,
        tags: [],
        note: "",
        device: null,
        last_checkpoint: null,
        steps_per_second: null,
        sparkline: new Float32Array(0),
        live_elsewhere: false,
        fetch: null,
        can: LOCAL_RUN,
      },
    ],
  };

  it("takes over a generation, and never a worse best", () => {
    const next = runListAfter(list, { run: "a", kind: "generation", report: generationReport(2, [20, 30]) });
    expect(next.runs?.[0]).toMatchObject({ generation: 2, global_step: 16_000, best_fitness: 50 });
  });

  it("takes over a state", () => {
    const next = runListAfter(list, { run: "a", kind: "state", state: "paused", failure: null });
    expect(next.runs?.[0]?.state).toBe("paused");
  });

  it("takes over how far a data set is that it waits for", () => {
    const fetch = { dataset: "cartpole/random-v0", received: 1, total: 4 };
    const next = runListAfter(list, { run: "a", kind: "fetch", fetch });
    expect(next.runs?.[0]?.fetch).toEqual(fetch);
    expect(runListAfter(next, { run: "a", kind: "fetch", fetch: null }).runs?.[0]?.fetch).toBeNull();
  });

  it("takes over a row, and adds that of a run which another tab made", () => {
    const [row] = list.runs ?? [];
    if (!row) throw new Error("the list has a row");
    const named = { ...row, name: "B" };
    expect(runListAfter(list, { run: "a", kind: "summary", summary: named }).runs).toEqual([named]);
    const other = { ...row, id: "b" };
    expect(runListAfter(list, { run: "b", kind: "summary", summary: other }).runs).toEqual([other, row]);
  });

  it("stays the same object for what it does not show", () => {
    const device = { kind: "wasm", label: "", reason: "" } as const;
    expect(runListAfter(list, { run: "a", kind: "device", device })).toBe(list);
    expect(runListAfter(list, { run: "b", kind: "state", state: "paused", failure: null })).toBe(list);
    expect(runListAfter(NO_RUNS_YET, { run: "a", kind: "state", state: "paused", failure: null })).toBe(
      NO_RUNS_YET,
    );
  });
});

describe("ancestry", () => {
  const withMembers = (
    generation: number,
    members: readonly { index: number; parent: number | null }[],
  ): GenerationReport => {
    const report = generationReport(
      generation,
      members.map((_, slot) => generation * 10 + slot),
    );
    return {
      ...report,
      members: report.members.map((member, slot) => ({ ...member, ...members[slot] })),
    };
  };
  const generations = [
    withMembers(1, [
      { index: 0, parent: null },
      { index: 1, parent: null },
    ]),
    withMembers(2, [
      { index: 1, parent: 1 },
      { index: 2, parent: 0 },
    ]),
    withMembers(3, [
      { index: 1, parent: 1 },
      { index: 3, parent: 1 },
    ]),
  ];

  it("follows parents through the slots", () => {
    const member = generations[2]?.members[1];
    const line = member === undefined ? [] : ancestry(generations.toReversed(), member);
    expect(line.map(({ generation, slot }) => [generation, slot])).toEqual([
      [3, 1],
      [2, 0],
      [1, 1],
    ]);
  });

  it("begins at the member's own generation", () => {
    const member = generations[1]?.members[1];
    const line = member === undefined ? [] : ancestry(generations.slice(0, 2).toReversed(), member);
    expect(line.map(({ generation, slot }) => [generation, slot])).toEqual([
      [2, 1],
      [1, 0],
    ]);
  });
});

describe("small figures", () => {
  it("tell the time that is left", () => {
    const progress = {
      event: "progress",
      generation: 1,
      global_step: 1000,
      total_steps: 4000,
      steps_per_second: 100,
      learn_steps_per_second: 1,
    } as const;
    expect(remainingSeconds(progress)).toBe(30);
    expect(remainingSeconds({ ...progress, steps_per_second: 0 })).toBeNull();
    expect(remainingSeconds({ ...progress, global_step: 5000 })).toBe(0);
    expect(remainingSeconds(null)).toBeNull();
  });

  it("find the target of a manifest, if it has one", () => {
    expect(targetScore({ training: { target_score: 475 } })).toBe(475);
    expect(targetScore({ training: { target_score: null } })).toBeNull();
    expect(targetScore({ training: [] })).toBeNull();
    expect(targetScore("text")).toBeNull();
  });

  it("are written for people", () => {
    expect(formatDuration(59.6)).toBe("1 min 00 s");
    expect(formatDuration(3 * 3600 + 61)).toBe("3 h 01 min");
    expect(formatBytes(999)).toBe("999 B");
    expect(formatBytes(48_000_000)).toBe("48.0 MB");
    expect(formatScore(null)).toBe("–");
    expect(formatScore(-1234.5)).toBe("-1,235");
    expect([0, 1, -0.0047123, 0.95, 21.25].map(formatScore)).toEqual([
      "0.0",
      "1.0",
      "-0.00471",
      "0.95",
      "21.3",
    ]);
    expect(formatHyperparameter(0.00064)).toBe("6.4e-4");
    expect(formatHyperparameter(0.0012345678)).toBe("0.001235");
    expect(formatHyperparameter(64)).toBe("64");
    expect(formatAgo(0, 59_000)).toBe("just now");
    expect(formatAgo(0, 3 * 3_600_000)).toBe("3 h ago");
  });
});
