import { describe, expect, it } from "vitest";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import {
  formatAgo,
  formatBytes,
  formatDuration,
  formatHyperparameter,
  formatScore,
} from "../../../src/ui/lib/format.ts";
import { manifestNumber } from "../../../src/ui/lib/manifestValues.ts";
import { runActions } from "../../../src/ui/pages/run/head/RunControls.tsx";
import { ancestry } from "../../../src/ui/pages/run/population/memberAt.ts";
import { NO_RUNS_YET, type RunList, runListAfter } from "../../../src/ui/state/runList.ts";
import { RunHistory } from "../../../src/workers/coordinator.ts";
import { LOCAL_RUN, PLATFORM_RUN } from "../../../src/workers/protocol.ts";
import { fakeSummary } from "../support/fakeSummary.ts";
import { generationReport } from "../support/reports.ts";

describe("runActions", () => {
  it.each([
    ["running", ["Pause", "Stop and save"]],
    ["paused", ["Resume", "Stop and save"]],
    ["interrupted", ["Resume", "Run again"]],
    ["stopped", ["Resume", "Run again"]],
    ["failed", ["Resume", "Run again"]],
    ["finished", ["Run again"]],
  ] as const)("offers for a %s run %j", (state, actions) => {
    expect(runActions({ can: LOCAL_RUN, state, waiting: false })).toEqual(actions);
  });

  it.each([
    ["queued", ["Stop and save"]],
    ["running", ["Pause", "Stop and save"]],
    ["stopped", ["Resume"]],
    ["finished", []],
  ] as const)("offers for a %s run of a platform %j", (state, actions) => {
    expect(runActions({ can: PLATFORM_RUN, state, waiting: false })).toEqual(actions);
  });
});

describe("runListAfter", () => {
  const list: RunList = {
    problem: null,
    runs: [fakeSummary({ id: "a", state: "running", best_fitness: 50 })],
  };

  it("takes over a generation, and never a worse best", () => {
    const next = runListAfter(list, { run: "a", kind: "generation", report: generationReport(2, [20, 30]) });
    expect(next.runs?.[0]).toMatchObject({ generation: 2, global_step: 16_000, best_fitness: 50 });
  });

  it("takes over the speed, the time and the trend of a generation, as the coordinator counts it", () => {
    const history = new RunHistory();
    let next: RunList = { problem: null, runs: [fakeSummary({ id: "a", sparkline: new Float32Array() })] };
    for (let generation = 1; generation <= 40; generation += 1) {
      const report = {
        ...generationReport(generation, [generation % 7, 3]),
        steps_per_second: 900 + generation,
        at: 5,
      };
      history.add({ type: "generation", report });
      next = runListAfter(next, { run: "a", kind: "generation", report });
    }
    expect(next.runs?.[0]).toMatchObject({ steps_per_second: 940, updated_at: 5 });
    expect(next.runs?.[0]?.sparkline).toEqual(history.sparkline());
    const late = runListAfter(next, { run: "a", kind: "generation", report: generationReport(41, [99]) });
    expect(late.runs?.[0]?.sparkline).toHaveLength(40);
    expect(late.runs?.[0]?.sparkline.at(-1)).toBe(99);
  });

  it("takes over the device, how a run ended, and that it cannot be saved", () => {
    const device = { kind: "wasm", label: "WASM SIMD, 1 worker", reason: "" } as const;
    const end = { reason: "target", at: 7 } as const;
    const unsaved = { since: 3, full: true, reason: "no room" };
    const next = [
      { run: "a", kind: "device", device } as const,
      { run: "a", kind: "state", state: "finished", failure: null, end } as const,
      { run: "a", kind: "unsaved", unsaved } as const,
    ].reduce(runListAfter, list);
    expect(next.runs?.[0]).toMatchObject({ device: device.label, state: "finished", end, unsaved });
  });

  it("takes over a state", () => {
    const next = runListAfter(list, { run: "a", kind: "state", state: "paused", failure: null, end: null });
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
    const notice = { level: "info", message: "", at: 0 } as const;
    expect(runListAfter(list, { run: "a", kind: "notice", notice })).toBe(list);
    expect(runListAfter(list, { run: "b", kind: "state", state: "paused", failure: null, end: null })).toBe(
      list,
    );
    expect(
      runListAfter(NO_RUNS_YET, { run: "a", kind: "state", state: "paused", failure: null, end: null }),
    ).toBe(NO_RUNS_YET);
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

  it("names a mutation only in the generation that began with it", () => {
    const labelled = generations.map((report) => ({
      ...report,
      members: report.members.map((member) => ({ ...member, mutation: "lr" })),
    }));
    const member = labelled[2]?.members[0];
    const line = member === undefined ? [] : ancestry(labelled.toReversed(), member);
    expect(line.map(({ generation, mutation }) => [generation, mutation])).toEqual([
      [3, "None"],
      [2, "None"],
      [1, "lr"],
    ]);
  });

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
  it("find the target of a manifest, if it has one", () => {
    expect(manifestNumber({ training: { target_score: 475 } }, "training.target_score")).toBe(475);
    expect(manifestNumber({ training: { target_score: null } }, "training.target_score")).toBeNull();
    expect(manifestNumber({ training: [] }, "training.target_score")).toBeNull();
    expect(manifestNumber("text", "training.target_score")).toBeNull();
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
