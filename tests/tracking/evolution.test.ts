import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GrowingHistory, noHistory } from "../../src/tracking/clients.ts";
import {
  type EvolutionReport,
  EvolutionTally,
  evolutionOf,
  OUTCOME_KINDS,
  SURVIVAL_GENERATIONS,
  tallyRows,
} from "../../src/tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../src/tracking/observer.ts";
import { generation, member } from "./reports.ts";

const LABELS = ["None", "param", "act", "lr", "encoder.add_node", "explore"] as const;
const KIND_OF = {
  None: "none",
  param: "parameters",
  act: "activation",
  lr: "hyperparameter",
  "encoder.add_node": "architecture",
  explore: "explore",
} as const;

/** What happens to a slot after a generation: it rests, continues, or becomes a copy of the member of a slot. */
interface Fate {
  readonly rests: boolean;
  readonly copies: number | null;
  readonly label: (typeof LABELS)[number];
  readonly fitness: number;
  readonly episodes: number;
}

const fate = fc.record({
  rests: fc.boolean().map((rests) => rests),
  copies: fc.option(fc.nat({ max: 99 })),
  label: fc.constantFrom(...LABELS),
  fitness: fc.integer({ min: -50, max: 50 }),
  episodes: fc.integer({ min: 1, max: 4 }),
});

/** Members and generations of a run, in which the first slot never rests. */
const runs = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 14 }))
  .chain(([members, generations]) =>
    fc.array(fc.array(fate, { minLength: members, maxLength: members }), {
      minLength: generations,
      maxLength: generations,
    }),
  );

/** The reports of a run with these fates. */
function reportsOf(rows: readonly (readonly Fate[])[]): GenerationReport[] {
  let before: readonly MemberReport[] = [];
  let next = rows[0]?.length ?? 0;
  const resting = new Set<number>();
  return rows.map((fates, row) => {
    const members = fates.map((own, slot): MemberReport => {
      const same = before[slot];
      // Half of the draws of `rests` would end a race at once.
      if (row > 0 && slot > 0 && own.rests && own.fitness > 30) resting.add(slot);
      if (same && resting.has(slot)) {
        const { evaluation: _, ...rest } = same;
        return { ...rest, mutation: "None", fitness: Number.NaN };
      }
      const living = before.filter((_, at) => !resting.has(at));
      const parent = own.copies === null ? undefined : living[own.copies % Math.max(1, living.length)];
      const kind = KIND_OF[own.label];
      return member(slot, {
        index: row === 0 ? slot : parent ? next++ : (same?.index ?? slot),
        parent: row === 0 ? null : ((parent ?? same)?.index ?? null),
        fitness: own.fitness,
        steps: 100 * (row + 1),
        mutation: own.label,
        ...(kind === "none"
          ? {}
          : { mutation_detail: { kind: kind === "explore" ? "hyperparameter" : kind } as const }),
        hyperparameters: { lr: 10 ** -(1 + (own.episodes % 3)) },
        evaluation: { returns: Array<number>(own.episodes).fill(own.fitness), lengths: [] },
      });
    });
    before = members;
    return generation(members, { generation: row + 1, lineage: [{}] as unknown as [] }); // only its length counts
  });
}

/** Members of a report that do not rest. */
const active = ({ members }: GenerationReport): readonly MemberReport[] =>
  members.filter(({ evaluation }) => evaluation !== undefined);

const columnsOf = (reports: readonly GenerationReport[]) => {
  const history = new GrowingHistory(noHistory());
  for (const report of reports) history.append(report);
  return history.columns;
};

const RANGES = { lr: { min: 1e-5, max: 1e-1, scale: "log" } } as const;

const outcome = ({ mutations }: EvolutionReport, kind: string) =>
  mutations.find((each) => each.kind === kind);

describe("the evolution of any run", () => {
  const law = (check: (reports: readonly GenerationReport[], report: EvolutionReport) => void) => () =>
    fc.assert(
      fc.property(runs, (rows) => {
        const reports = reportsOf(rows);
        check(reports, evolutionOf(reports, RANGES));
      }),
    );

  it(
    "counts each member of each generation once, by the label of its mutation",
    law((reports, report) => {
      const labels = reports.flatMap((each) => active(each).map(({ mutation }) => mutation));
      for (const kind of OUTCOME_KINDS)
        expect(outcome(report, kind)?.number ?? 0).toBe(
          labels.filter((label) => KIND_OF[label as keyof typeof KIND_OF] === kind).length,
        );
    }),
  );

  it(
    "counts the episodes of all evaluations",
    law((reports, report) => {
      const played = reports.map((each) =>
        each.members.reduce((sum, { evaluation }) => sum + (evaluation?.returns.length ?? 0), 0),
      );
      expect(report.episodes).toBe(played.at(-1));
      expect(report.total_episodes).toBe(played.reduce((a, b) => a + b, 0));
    }),
  );

  it(
    "has shares of survival, ancestors up to the living members, and a spread within the range",
    law((reports, report) => {
      const [first, last] = [reports[0], reports.at(-1)];
      if (!first || !last) return;
      for (const { survival } of report.mutations) {
        expect(survival ?? 0).toBeGreaterThanOrEqual(0);
        expect(survival ?? 0).toBeLessThanOrEqual(1);
      }
      expect(report.members).toBe(active(last).length);
      expect(report.ancestors).toBeGreaterThanOrEqual(1);
      expect(report.ancestors).toBeLessThanOrEqual(report.members);
      const values = new Set(active(last).map(({ hyperparameters }) => hyperparameters.lr));
      expect(report.hyperparameters.lr?.distinct).toBe(values.size);
      expect(report.hyperparameters.lr?.spread).toBeLessThanOrEqual(1);
      expect(Number(report.hyperparameters.lr?.spread) > 0).toBe(values.size > 1);
    }),
  );

  it(
    "is the same from a run's columns, and as the run goes on",
    law((reports) => {
      const tally = new EvolutionTally();
      for (const [row, report] of reports.entries()) {
        const so_far = tally.add(report).report(RANGES);
        expect(so_far).toEqual(evolutionOf(reports.slice(0, row + 1), RANGES));
      }
      expect(evolutionOf(tallyRows(columnsOf(reports)), RANGES)).toEqual(tally.report(RANGES));
    }),
  );

  it("has as many ancestors as members without selection, all of whom survive", () => {
    fc.assert(
      fc.property(runs, (rows) => {
        const still = rows.map((row) =>
          row.map((own) => ({ ...own, rests: false, copies: null, label: "None" as const })),
        );
        const report = evolutionOf(reportsOf(still));
        expect(report.ancestors).toBe(rows[0]?.length);
        expect(report.mutations.map(({ kind }) => kind)).toEqual(["none"]);
        expect(outcome(report, "none")?.survival).toBe(rows.length > 1 ? 1 : null);
      }),
    );
  });
});

describe("a mutation", () => {
  const report = (
    number: number,
    members: readonly MemberReport[],
    changes: Partial<GenerationReport> = {},
  ) => generation(members, { generation: number, ...changes, lineage: [{}] as unknown as [] }); // only its length counts
  const first = report(1, [member(0, { fitness: 100, steps: 1 }), member(1, { fitness: 10, steps: 1 })]);
  const explorer = { index: 2, parent: 0, mutation: "explore", steps: 2 };

  it("gains against its parent, which continued", () => {
    const second = report(2, [
      member(0, { fitness: 120, steps: 2, parent: 0 }),
      member(1, { ...explorer, fitness: 150 }),
    ]);
    const found = evolutionOf([first, second]);
    expect(outcome(found, "explore")).toMatchObject({ number: 1, gains: 1, gain: 30, gain_interval: null });
    expect(outcome(found, "none")).toMatchObject({ number: 3, gains: 0, gain: null });
    expect(found.ancestors).toBe(1);
  });

  it("has the standard error of the episodes, also from a run's columns", () => {
    const returns = (...values: number[]) => ({
      fitness: values.reduce((a, b) => a + b, 0) / values.length,
      evaluation: { returns: values, lengths: [] },
    });
    const second = report(2, [
      member(0, { ...returns(119, 121), steps: 2, parent: 0 }),
      member(1, { ...explorer, ...returns(140, 160) }),
    ]);
    for (const rows of [[first, second], tallyRows(columnsOf([first, second]))])
      expect(outcome(evolutionOf(rows), "explore")?.gain_error).toBeCloseTo(Math.sqrt(1 + 100), 9);
  });

  it("gains against the other unmutated members if its parent is no longer one, and not without any", () => {
    const moved = member(0, { ...explorer, fitness: 90 });
    const second = report(2, [moved, member(1, { fitness: 15, steps: 2, parent: 1 })]);
    expect(outcome(evolutionOf([first, second]), "explore")?.gain).toBe(-15);
    const all = report(2, [moved, member(1, { index: 3, parent: 0, mutation: "param", steps: 2 })]);
    expect(outcome(evolutionOf([first, all]), "explore")?.gain).toBeNull();
  });

  it("waits for its first evaluation", () => {
    const unevaluated = report(2, [
      member(0, { fitness: Number.NaN, steps: 2 }),
      member(1, { ...explorer, fitness: Number.NaN }),
    ]);
    const third = report(3, [
      member(0, { fitness: 130, steps: 3 }),
      member(1, { ...explorer, mutation: "None", parent: 2, fitness: 110, steps: 3 }),
    ]);
    expect(outcome(evolutionOf([first, unevaluated]), "explore")?.gain).toBeNull();
    expect(outcome(evolutionOf([first, unevaluated, third]), "explore")?.gain).toBe(-20);
  });

  it("survives by a descendant, and is judged once", () => {
    const later = (number: number, index: number) =>
      report(number, [
        member(0, { fitness: 1, steps: number }),
        member(1, { index, parent: index - 1, fitness: 1, steps: number }),
      ]);
    const second = report(2, [member(0, { steps: 2 }), member(1, { ...explorer, fitness: 150 })]);
    const chain = Array.from({ length: SURVIVAL_GENERATIONS }, (_, at) => later(at + 3, at + 3));
    const died = report(SURVIVAL_GENERATIONS + 3, [
      member(0, { steps: 99 }),
      member(1, { index: 50, parent: 0, steps: 99 }),
    ]);
    expect(outcome(evolutionOf([first, second, ...chain]), "explore")?.survival).toBe(1);
    expect(outcome(evolutionOf([first, second, ...chain, died]), "explore")?.survival).toBe(1);
    expect(outcome(evolutionOf([first, second, died]), "explore")?.survival).toBe(0);
  });
});

describe("records of earlier versions", () => {
  it("tell what they allow", () => {
    const bare = (number: number, mutation: string) =>
      generation([member(0, { steps: number, mutation: "None" }), member(1, { steps: number, mutation })], {
        generation: number,
      });
    const reports = [bare(1, "None"), { ...bare(2, "lr"), lineage: [{}] as unknown as [] }]; // only its length counts
    const found = evolutionOf(reports);
    expect(found).toMatchObject({ episodes: null, total_episodes: null, ancestors: 2 });
    expect(outcome(found, "hyperparameter")?.number).toBe(1);
  });

  it("that are lost leave ancestors and episodes unknown, and later mutations counted", () => {
    const lost = { generation: 2, global_step: 2, seconds: 1, fitnesses: [1, 2] };
    const third = generation(
      [
        member(0, { steps: 3 }),
        member(1, {
          steps: 3,
          index: 5,
          parent: 0,
          mutation: "act",
          mutation_detail: { kind: "activation" },
        }),
      ],
      { generation: 3 },
    );
    const history = new GrowingHistory(noHistory());
    for (const row of [generation([member(0), member(1)]), lost, third]) history.append(row);
    const found = evolutionOf(tallyRows(history.columns));
    expect(found).toMatchObject({ since: 1, total_episodes: null, ancestors: null });
    expect(outcome(found, "activation")?.number).toBe(1);
  });
});
