import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { MUTATION_KINDS } from "../../src/workers/protocol.ts";
import { tinyPpo } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

describe("columns of a run's history", () => {
  const files = memoryFileStore();
  const bench = new TestWorkbench({ files });
  let id = "";
  beforeAll(async () => {
    await bench.open();
    // More generations than the number of full reports kept in memory.
    id = await bench.trainToEnd(tinyPpo({ pop_size: 2, max_steps: 192 * 20 }), 3);
  });
  afterAll(() => bench.close());

  it("have the numbers of every report, row by row", async () => {
    const reports = await bench.reportsOf(id);
    const columns = await bench.coordinator.history(id, 1);
    expect(columns).toMatchObject({ generations: reports.length, population: 2 });
    const members = reports.flatMap((report) => report.members);
    expect([...columns.generation]).toEqual(reports.map(({ generation }) => generation));
    expect([...columns.global_step]).toEqual(reports.map(({ global_step }) => global_step));
    expect([...columns.seconds]).toEqual(reports.map(({ seconds }) => seconds));
    expect([...columns.index]).toEqual(members.map(({ index }) => index));
    expect([...columns.parent]).toEqual(members.map(({ parent }) => parent ?? -1));
    expect([...columns.fitness]).toEqual(members.map(({ fitness }) => fitness));
    expect([...columns.score]).toEqual(members.map(({ score }) => score ?? Number.NaN));
    expect([...columns.steps]).toEqual(members.map(({ steps }) => steps));
    expect([...columns.mutation].map((code) => columns.mutations[code])).toEqual(
      members.map(({ mutation }) => mutation),
    );
    expect([...(columns.hyperparameters.lr ?? [])]).toEqual(
      members.map(({ hyperparameters }) => hyperparameters.lr),
    );
    expect([...(columns.metrics.policy_loss ?? [])]).toEqual(
      members.map(({ metrics }) => metrics.policy_loss),
    );
    const kinds = new Set([...columns.mutation_kind].map((kind) => MUTATION_KINDS[kind]));
    expect(kinds.size).toBeGreaterThan(1);
    for (const [row, kind] of [...columns.mutation_kind].entries())
      expect(MUTATION_KINDS[kind] === "hyperparameter").toBe(members[row]?.mutation === "lr");
  });

  it("begin where they are asked to, and are the same in the next tab", async () => {
    const all = await bench.coordinator.history(id, 1);
    const late = await bench.coordinator.history(id, 15);
    expect(late.generations).toBe(all.generations - 14);
    expect(late.fitness).toEqual(all.fitness.slice(14 * 2));
    expect((await bench.coordinator.history(id, 1000)).generations).toBe(0);
    const next = await new TestWorkbench({ files }).open();
    try {
      expect(await next.coordinator.history(id, 1)).toEqual(all);
    } finally {
      next.close();
    }
  });
});
