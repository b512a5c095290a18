import { expect, it } from "vitest";
import { sameReport } from "../../platform/src/runs/ClaimedRun.ts";

const report = {
  generation: 3,
  fitnesses: [1.5, 2],
  at: 17,
  seconds: 0.5,
  members: [{ slot: 0, fitness: 1.5, milliseconds: 9, network: [{ layers: [] }] }],
};

it("takes a report told again for the same, whatever the clock and the order of keys say", () => {
  const members = [{ fitness: 1.5, slot: 0, milliseconds: 11 }];
  const again = { members, seconds: 0.25, at: 99, fitnesses: report.fitnesses, generation: 3 };
  expect(sameReport(report, again)).toBe(true);
});

it("tells results apart that differ in one bit", () => {
  expect(sameReport(report, { ...report, fitnesses: [1.5, 2 + 2 ** -51] })).toBe(false);
  expect(sameReport(report, { ...report, members: [{ ...report.members[0], slot: 1 }] })).toBe(false);
});
