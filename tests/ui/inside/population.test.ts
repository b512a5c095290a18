import { describe, expect, it } from "vitest";
import type { MemberReport } from "../../../src/tracking/observer.ts";
import { memberAt } from "../../../src/ui/pages/run/population/memberAt.ts";
import {
  populationColumns,
  shareOfRange,
  sortedMembers,
} from "../../../src/ui/pages/run/population/populationColumns.ts";
import { generationReport } from "../support/reports.ts";
import { descendantsOf } from "./support/descendants.ts";

const ranges = { lr: { min: 1e-5, max: 1e-1 }, batch_size: { min: 8, max: 64 } };
const keysOf = (report: Parameters<typeof populationColumns>[0]): readonly string[] =>
  populationColumns(report, ranges).map(({ key }) => key);

describe("the columns of a population", () => {
  it("are the same in every generation, whatever differs in one of them", () => {
    const report = generationReport(1, [1, 2]);
    const alike = report.members.map((member) => ({
      ...member,
      hyperparameters: { lr: 1, batch_size: 2, gamma: 3 },
    }));
    const unlike = alike.map((member, slot) => ({
      ...member,
      hyperparameters: { lr: 1, batch_size: 2, gamma: slot },
    }));
    expect(keysOf({ members: unlike })).toEqual(keysOf({ members: alike }));
    expect(keysOf({ members: alike })).toEqual([
      "member",
      "fitness",
      "score",
      "steps",
      "hyperparameter lr",
      "hyperparameter batch_size",
      "mutation",
      "parent",
      "architecture",
    ]);
  });

  it("are some of the hyperparameters where none mutates", () => {
    const keys = populationColumns(generationReport(1, [1]), {}).map(({ key }) => key);
    expect(keys).toContain("hyperparameter learn_step");
  });

  it("have the agents of a member, and its subpopulation, where there are any", () => {
    const { members } = generationReport(1, [1, 2]);
    const given = members.map((member) => ({ ...member, agent_fitness: { a_0: 1 }, subpopulation: 0 }));
    const columns = populationColumns({ members: given }, ranges);
    expect(columns.map(({ label }) => label)).toEqual(expect.arrayContaining(["a_0", "Subpopulation"]));
  });

  it("say that a retained elite survived, rather than that it is its own parent", () => {
    const { members } = generationReport(2, [1, 2]);
    const parents = [22, null, 21].map(
      (parent, slot) => ({ ...members[0], index: 22, slot, parent }) as MemberReport,
    );
    const column = populationColumns({ members }, ranges).find(({ key }) => key === "parent");
    expect(parents.map((member) => column?.value(member))).toEqual(["survived", null, 21]);
  });

  it("sort both ways, members without a value last", () => {
    const { members } = generationReport(1, [3, Number.NaN, 5, 3]);
    const columns = populationColumns({ members }, ranges);
    const slots = (key: string, descending: boolean) =>
      sortedMembers(members, columns, { key, descending }).map(({ slot }) => slot);
    expect(slots("fitness", true)).toEqual([2, 0, 3, 1]);
    expect(slots("fitness", false)).toEqual([0, 3, 2, 1]);
    expect(slots("hyperparameter lr", true)).toEqual([3, 2, 1, 0]);
  });
});

describe("a bar within bounds", () => {
  it("is on the scale of its range, and never beyond it", () => {
    expect(shareOfRange(1e-3, ranges.lr)).toBeCloseTo(0.5, 12);
    expect(shareOfRange(36, ranges.batch_size)).toBeCloseTo(0.5, 12);
    expect([
      shareOfRange(1, ranges.lr),
      shareOfRange(0, ranges.lr),
      shareOfRange(Number.NaN, ranges.lr),
    ]).toEqual([1, 0, 0]);
  });
});

describe("a chosen member in other generations", () => {
  const { columns, graph } = descendantsOf([
    [
      [0, null, 1],
      [1, null, 2],
    ],
    [
      [1, 1, 3],
      [2, 1, 4],
    ],
    [
      [3, 2, 5],
      [4, 2, 6],
    ],
  ]);
  it("is itself, its ancestor before its birth, and its first heir after its end", () => {
    expect(memberAt(columns, graph, 2, 1)).toEqual({ index: 2, as: "itself" });
    expect(memberAt(columns, graph, 4, 0)).toEqual({ index: 1, as: "ancestor" });
    expect(memberAt(columns, graph, 2, 2)).toEqual({ index: 3, as: "descendant" });
  });

  it("is nobody where its line has ended, and where it is not known", () => {
    expect(memberAt(columns, graph, 0, 1)).toBeNull();
    expect(memberAt(columns, graph, 99, 1)).toBeNull();
  });
});
