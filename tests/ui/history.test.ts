import { describe, expect, it } from "vitest";
import { GrowingHistory, noHistory } from "../../src/tracking/clients.ts";
import type { GenerationReport, MemberReport } from "../../src/tracking/observer.ts";
import { HistoryStore } from "../../src/ui/series/HistoryStore.ts";
import { lineageColours } from "../../src/ui/series/lineageColours.ts";
import { MUTATION_KINDS } from "../../src/workers/protocol.ts";
import { historyOf } from "./support/histories.ts";
import { generationReport } from "./support/reports.ts";

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
});

describe("HistoryStore", () => {
  const all = reports(40);
  const from = (first: number, last: number) => (generation: number) =>
    generation >= first && generation <= last ? all[generation - 1] : undefined;

  it("loads once, then takes the reports at hand", async () => {
    let loads = 0;
    let last = 3;
    const store = new HistoryStore(
      async () => {
        loads += 1;
        return historyOf(all.slice(0, last));
      },
      { report: from(1, 40), last: () => last },
    );
    expect(store.state.getState().phase).toBe("loading");
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "ready", problem: null, version: 3 });
    last = 20;
    await store.catchUp();
    expect(loads).toBe(1);
    expect(store.columns).toEqual(historyOf(all.slice(0, 20)));
    const colours = lineageColours(historyOf(all.slice(0, 20)));
    for (const index of store.columns?.index ?? []) expect(store.colours.of(index)).toBe(colours.of(index));
  });

  it("reads all again when reports between are no longer at hand", async () => {
    let loads = 0;
    let last = 1;
    const store = new HistoryStore(
      async () => {
        loads += 1;
        return historyOf(all.slice(0, last));
      },
      { report: from(30, 40), last: () => last },
    );
    await store.catchUp();
    last = 35;
    await store.catchUp();
    expect([loads, store.columns?.generations]).toEqual([2, 35]);
    last = 36;
    await store.catchUp();
    expect([loads, store.columns?.generations]).toEqual([2, 36]);
  });

  it("stays with what it has when the log has no more", async () => {
    const store = new HistoryStore(async () => historyOf(all.slice(0, 5)), {
      report: () => undefined,
      last: () => 9,
    });
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "ready", problem: null, version: 5 });
  });

  it("tells what went wrong, and tries again when asked", async () => {
    let broken = true;
    const store = new HistoryStore(
      async () => {
        if (broken) throw new Error("The log is damaged.");
        return noHistory();
      },
      { report: from(1, 40), last: () => 2 },
    );
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "failed", problem: "The log is damaged.", version: 0 });
    broken = false;
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "ready", problem: null, version: 2 });
  });
});
