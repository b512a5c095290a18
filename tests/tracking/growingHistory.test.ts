import { describe, expect, it } from "vitest";
import { GrowingHistory, noFitness, noHistory } from "../../src/tracking/clients.ts";
import { MUTATION_KINDS } from "../../src/tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../src/tracking/observer.ts";
import { historyOf } from "../ui/support/histories.ts";
import { generationReport } from "../ui/support/reports.ts";

/** A report whose first member is changed. */
function withFirst(report: GenerationReport, change: Partial<MemberReport>): GenerationReport {
  const members = report.members.map((member, slot) => (slot === 0 ? { ...member, ...change } : member));
  return { ...report, members };
}

const reports = (count: number): GenerationReport[] =>
  Array.from({ length: count }, (_, row) => generationReport(row + 1, [row, 10 - row, 5]));

describe("GrowingHistory", () => {
  it("keeps every number of its reports, however many there are", () => {
    const all = reports(300);
    const columns = historyOf(all);
    expect([columns.generations, columns.population]).toEqual([300, 3]);
    for (const [row, report] of all.entries()) {
      expect([columns.generation[row], columns.global_step[row], columns.seconds[row]]).toEqual([
        report.generation,
        report.global_step,
        report.seconds,
      ]);
      for (const member of report.members) {
        const cell = row * 3 + member.slot;
        expect(columns.index[cell]).toBe(member.index);
        expect(columns.parent[cell]).toBe(member.parent ?? -1);
        expect(columns.fitness[cell]).toBe(member.fitness);
        expect(columns.hyperparameters.lr?.[cell]).toBe(member.hyperparameters.lr);
        expect(columns.metrics.loss?.[cell]).toBe(member.metrics.loss);
        expect(columns.mutations[columns.mutation[cell] ?? -1]).toBe(member.mutation);
      }
    }
    for (const column of [columns.fitness, columns.index, columns.hyperparameters.lr])
      expect(column).toHaveLength(900);
  });

  it("reads the kind of a mutation from its detail, or of an old log from its label", () => {
    const [one, two] = reports(2) as [GenerationReport, GenerationReport];
    const columns = historyOf([
      withFirst(one, { mutation: "lr" }),
      withFirst(two, { mutation: "lr", mutation_detail: { kind: "architecture" } }),
    ]);
    const kind = (cell: number) => MUTATION_KINDS[columns.mutation_kind[cell] ?? -1];
    expect(kind(0)).toBe("hyperparameter");
    expect(kind(3)).toBe("architecture");
    const labels = ["None", "param", "act", "head_net.add_node"];
    const old = historyOf(
      labels.map((mutation, row) => withFirst(generationReport(row + 1, [1]), { mutation })),
    );
    expect(Array.from(old.mutation_kind, (code) => MUTATION_KINDS[code])).toEqual([
      "none",
      "parameters",
      "activation",
      "architecture",
    ]);
  });

  it("has a mutation only in the generation that began with it, also of a member that keeps its label", () => {
    const [one, two] = reports(2) as [GenerationReport, GenerationReport];
    const labelled = (report: GenerationReport, part: Partial<MemberReport> = {}) =>
      withFirst(report, { index: 5, mutation: "lr", ...part });
    const three = { ...two, generation: 3 };
    const four = { ...two, generation: 4 };
    const history = [
      labelled(one),
      labelled(two),
      labelled(three, { mutation_detail: { kind: "hyperparameter" } }),
      labelled(four, { mutation: "param" }),
    ];
    const columns = historyOf(history);
    const kinds = [0, 1, 2, 3].map(
      (row) => MUTATION_KINDS[columns.mutation_kind[row * columns.population] ?? -1],
    );
    expect(kinds).toEqual(["hyperparameter", "none", "hyperparameter", "parameters"]);
  });

  it("has NaN where a later metric was not yet told, and the quartiles of evaluations", () => {
    const [one, two] = reports(2) as [GenerationReport, GenerationReport];
    const columns = historyOf([
      one,
      withFirst(two, {
        metrics: { entropy: 0.5 },
        evaluation: { returns: [4, 1, 3, 2, 5], lengths: [1, 1, 1, 1, 1] },
      }),
    ]);
    expect(columns.metrics.entropy).toEqual(
      Float64Array.of(Number.NaN, Number.NaN, Number.NaN, 0.5, Number.NaN, Number.NaN),
    );
    expect(columns.metrics.loss?.[3]).toBeNaN();
    const { evaluation } = columns;
    expect([
      evaluation?.min[3],
      evaluation?.q1[3],
      evaluation?.median[3],
      evaluation?.q3[3],
      evaluation?.max[3],
    ]).toEqual([1, 2, 3, 4, 5]);
    expect(evaluation?.median[0]).toBeNaN();
    expect(evaluation?.median[4]).toBeNaN();
  });

  it("takes no generation twice, and leaves what was handed out as it was", () => {
    const history = new GrowingHistory(historyOf(reports(2)));
    const before = history.columns;
    const fitness = before.fitness.slice();
    expect(history.append(generationReport(2, [9, 9, 9]))).toBe(false);
    expect(history.columns).toBe(before);
    expect(history.append(generationReport(3, [7, 8, 9]))).toBe(true);
    expect(before.fitness).toEqual(fitness);
    expect([...history.columns.fitness.subarray(6)]).toEqual([7, 8, 9]);
  });

  it("has of a generation whose report is lost what is left of it", () => {
    const history = new GrowingHistory(noHistory());
    const [one] = reports(1) as [GenerationReport];
    history.append(withFirst(one, { agent_fitness: { a_0: 4 } }));
    const members = [{ agent_fitness: { a_0: 5 } }, {}, {}];
    history.append({ generation: 2, global_step: 70, seconds: 0.5, fitnesses: [7, 8, 9], members });
    const { columns } = history;
    expect([columns.global_step[1], columns.seconds[1]]).toEqual([70, 0.5]);
    expect([...columns.fitness.subarray(3)]).toEqual([7, 8, 9]);
    const none = Number.NaN;
    expect([...(columns.agent_fitness.a_0 ?? [])]).toEqual([4, none, none, 5, none, none]);
    expect([...columns.parent.subarray(3)]).toEqual([-1, -1, -1]);
    for (const unknown of [columns.score, columns.steps, columns.hyperparameters.lr, columns.metrics.loss])
      expect([...(unknown?.subarray(3) ?? [])]).toEqual([none, none, none]);
    expect(columns.at[1]).toBeNaN();
  });

  it("lists the training episodes of every member, none of older logs, and drops the last", () => {
    const [one, two] = reports(2) as [GenerationReport, GenerationReport];
    const training: MemberReport["training"] = [
      [100, 9.5],
      [160, 11],
    ];
    const history = new GrowingHistory(noHistory());
    for (const report of [one, withFirst(two, { training }), generationReport(3, [1, 2, 3])])
      history.append(report);
    const { offsets, steps, returns } = history.columns.training;
    expect([...offsets]).toEqual([0, 0, 0, 0, 2, 2, 2, 2, 2, 2]);
    expect([...steps]).toEqual([100, 160]);
    expect([...returns]).toEqual([9.5, 11]);
    const other = new GrowingHistory(history.copy());
    other.truncate(1);
    expect(other.columns.training.steps).toHaveLength(0);
    other.append(withFirst(two, { training: [[7, 1]] }));
    expect([...other.columns.training.offsets]).toEqual([0, 0, 0, 0, 1, 1, 1]);
    expect([...other.columns.training.steps]).toEqual([7]);
    expect([...history.columns.training.steps]).toEqual([100, 160]);
  });

  it("has the columns that it was made with, goes on where they end, and drops the last", () => {
    const history = new GrowingHistory(noFitness());
    for (const report of reports(100)) history.append(report);
    expect(Object.keys(history.columns).sort()).toEqual(Object.keys(noFitness()).sort());
    const other = new GrowingHistory(history.copy());
    other.append(generationReport(101, [1, 2, 3]));
    expect([other.length, other.last, other.rowOf(101), other.rowOf(102)]).toEqual([101, 101, 100, -1]);
    other.truncate(100);
    expect(other.columns).toEqual(history.columns);
    other.append(generationReport(105, [Number.NaN]));
    expect([...other.columns.fitness.subarray(300)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it("uses no more room than its generations need, if their number is known", () => {
    const history = new GrowingHistory(noHistory(), 150);
    for (const report of reports(150)) history.append(report);
    const { fitness, generation, metrics, milliseconds } = history.columns;
    for (const column of [fitness, generation, metrics.loss, milliseconds])
      expect(column?.buffer.byteLength).toBe(column?.byteLength);
  });
});
