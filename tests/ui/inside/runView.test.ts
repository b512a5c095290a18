import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noHistory } from "../../../src/tracking/clients.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { ReportPager } from "../../../src/ui/state/ReportPager.ts";
import { RunView } from "../../../src/ui/state/RunView.ts";
import { columnsOf } from "../support/FakeRun.ts";
import { generationReport } from "../support/reports.ts";
import { FakeCoordinator } from "./support/fakeCoordinator.ts";

const reportOf = (generation: number): GenerationReport =>
  generationReport(generation, [generation, -generation, generation % 7]);

beforeEach(() => {
  // The page is hidden: views are not handed on, and events are taken in all the same.
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: true }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function openAfter(known: number) {
  const run = new FakeCoordinator().add({});
  const reports = Array.from({ length: known }, (_, index) => reportOf(index + 1));
  const snapshot = {
    ...run.snapshot(),
    columns: columnsOf(reports),
    latest: reports.at(-1) ?? null,
  };
  const session = new RunView();
  const asked: number[] = [];
  await session.open(
    async () => snapshot,
    async (first, last) => {
      asked.push(first);
      return Array.from({ length: last - first + 1 }, (_, index) => reportOf(first + index)).filter(
        ({ generation }) => generation >= 1 && generation <= session.columns.generations,
      );
    },
    async () => noHistory(),
  );
  return { session, asked };
}

describe("an open run", () => {
  it("keeps columns of 20,000 generations and few reports, and pages back to the first", async () => {
    const { session, asked } = await openAfter(0);
    for (let generation = 1; generation <= 20_000; generation += 1) {
      session.apply({ run: "run-1", kind: "generation", report: reportOf(generation) });
    }
    expect(session.columns.generations).toBe(20_000);
    expect(session.reports.held).toBe(16);
    expect(session.reports.get(20_000)).toEqual(reportOf(20_000));
    expect(session.reports.get(1)).toBeUndefined();
    for (let generation = 20_000; generation > 0; generation -= 1) {
      if (session.reports.get(generation) === undefined) await session.reports.load(generation, generation);
      expect(session.reports.get(generation)).toEqual(reportOf(generation));
      expect(session.reports.held).toBeLessThanOrEqual(16 + 64);
    }
    // Blocks of 16; what is still at hand is not asked for.
    expect(asked).toHaveLength(20_000 / 16);
  });

  it("has the whole curves at once, however late it opens", async () => {
    const { session, asked } = await openAfter(3000);
    const { columns } = session;
    expect([columns.generations, columns.population]).toEqual([3000, 3]);
    expect([...columns.fitness.subarray(0, 3)]).toEqual([1, -1, 1]);
    expect([columns.generation[2999], columns.global_step[2999]]).toEqual([3000, 3000 * 12_000]);
    expect(columns.seconds.reduce((a, b) => a + b)).toBe(1500);
    expect(session.reports.held).toBe(1);
    expect(session.view.getState().latest).toEqual(reportOf(3000));
    expect(asked).toEqual([]);
    // An event that repeats the snapshot changes nothing.
    session.apply({ run: "run-1", kind: "generation", report: reportOf(3000) });
    expect(session.columns).toBe(columns);
  });
});

describe("the best fitness of an open run", () => {
  it("is that of any member so far, and none before any has a fitness", async () => {
    const { session } = await openAfter(0);
    const best: unknown[] = [];
    for (const [row, fitnesses] of [
      [Number.NaN, Number.NaN],
      [10, 30],
      [20, Number.NaN],
      [31, 20],
    ].entries()) {
      const report = generationReport(row + 1, fitnesses);
      session.apply({ run: "run-1", kind: "generation", report });
      session.apply({ run: "run-1", kind: "unsaved", unsaved: null });
      best.push(session.view.getState().summary?.best_fitness);
    }
    expect(best).toEqual([null, 30, 30, 31]);
  });
});

describe("ReportPager", () => {
  it("asks once for what is on its way, and for nothing that is there", async () => {
    const asked: (readonly [number, number])[] = [];
    const pager = new ReportPager(async (first, last) => {
      asked.push([first, last]);
      return Array.from({ length: last - first + 1 }, (_, index) => reportOf(first + index));
    });
    await Promise.all([pager.load(20, 35), pager.load(30, 33)]);
    await pager.load(16, 47);
    expect(asked).toEqual([
      [16, 31],
      [32, 47],
    ]);
    expect(pager.get(20)).toEqual(reportOf(20));
  });

  it("leaves out what is lost, and asks again after a failure", async () => {
    let fails = true;
    const pager = new ReportPager(async () => {
      if (fails) throw new Error("The log is locked.");
      return [reportOf(3)];
    });
    await expect(pager.load(2, 3)).rejects.toThrow("The log is locked.");
    fails = false;
    await pager.load(2, 3);
    expect(pager.get(2)).toBeUndefined();
    expect(pager.get(3)).toEqual(reportOf(3));
  });
});
