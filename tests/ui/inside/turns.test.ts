import { describe, expect, it } from "vitest";
import { GrowingHistory, noHistory } from "../../../src/tracking/clients.ts";
import type { MemberReport } from "../../../src/tracking/observer.ts";
import { meanEvaluation, timelineOf, turnsOf } from "../../../src/ui/pages/run/turns/turns.ts";
import { generationReport } from "../support/reports.ts";

/** Columns of two generations of two members, who carry on. */
function columnsOf(...changes: readonly Partial<MemberReport>[]) {
  const history = new GrowingHistory(noHistory());
  for (const generation of [1, 2]) {
    const report = generationReport(generation, [1, 2]);
    history.append({
      ...report,
      members: report.members.map((member, slot) => ({ ...member, index: slot, ...changes[slot] })),
    });
  }
  return history.columns;
}

const before = (cell: number): number => cell - 2;

describe("the turns of a generation", () => {
  it("have their workers, their times and their evaluations", () => {
    const evaluation = { returns: [1, 2], lengths: [600, 400] };
    const turns = turnsOf(
      columnsOf(
        { worker: 1, started: 10, milliseconds: 70, evaluation },
        { worker: 0, started: 0, milliseconds: 100 },
      ),
      before,
      1,
    );
    // 4,000 steps of training after those of the generation before.
    expect(turns.map(({ index, evaluation: share }) => [index, share])).toEqual([
      [0, 0.2],
      [1, null],
    ]);
    expect(meanEvaluation(turns)).toBe(0.2);
    const timeline = timelineOf(turns);
    expect(timeline?.workers.map((own) => own.map(({ index }) => index))).toEqual([[1], [0]]);
    expect(timeline?.length).toBe(100);
    expect(timeline?.busy).toBeCloseTo(0.85, 9);
  });

  it("have no picture where reports of earlier versions do not tell workers", () => {
    const turns = turnsOf(columnsOf({ milliseconds: 70 }, { milliseconds: 100 }), before, 0);
    expect(turns.map(({ milliseconds }) => milliseconds)).toEqual([70, 100]);
    expect(timelineOf(turns)).toBeNull();
    expect(meanEvaluation(turns)).toBeNull();
  });
});
