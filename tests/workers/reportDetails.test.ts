import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GenerationReport, NetworkStructure } from "../../src/tracking/observer.ts";
import { decodeKeptAgent } from "../../src/training/files.ts";
import { tinyDqn, tinyLander, tinyPpo } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

/** Networks of all agents of a run by identity. Reports contain those that differ from the parent's. */
function networksOf(reports: readonly GenerationReport[]): Map<string, readonly NetworkStructure[]> {
  const known = new Map<number, readonly NetworkStructure[]>();
  const all = new Map<string, readonly NetworkStructure[]>();
  for (const { generation, members } of reports) {
    const now = members.map(({ index, parent, network }) => {
      const found = network ?? known.get(parent ?? index) ?? [];
      return [index, found] as const;
    });
    for (const [index, found] of now) {
      known.set(index, found);
      all.set(`${generation}/${index}`, found);
    }
  }
  return all;
}

describe.each([
  ["DQN", tinyDqn({ max_steps: 2048 })],
  ["PPO", tinyPpo({ max_steps: 3072 })],
])("reports of %s", (_, manifest) => {
  const bench = new TestWorkbench();
  let id = "";
  let reports: readonly GenerationReport[] = [];
  beforeAll(async () => {
    await bench.open();
    id = await bench.trainToEnd(manifest, 5);
    reports = await bench.reportsOf(id);
  });
  afterAll(() => bench.close());

  it("say when, how long, and what every evaluation episode gave", () => {
    for (const [i, { at = Number.NaN, members }] of reports.entries()) {
      expect(at).toBeGreaterThanOrEqual(reports[i - 1]?.at ?? 0);
      for (const { evaluation, fitness, milliseconds } of members) {
        expect(milliseconds).toBeGreaterThan(0);
        const returns = evaluation?.returns ?? [];
        expect(returns).toHaveLength(4);
        expect(returns.reduce((a, b) => a + b, 0) / 4).toBeCloseTo(fitness, 10);
      }
    }
  });

  it("have training episodes, in the log and in columns", async () => {
    const { training, index } = await bench.coordinator.history(id, 1);
    const members = reports.flatMap((report) => report.members);
    const told = members.map((member) => member.training ?? []);
    // Pendulums' episodes are longer than a generation.
    expect(told.map((episodes) => episodes.length > 0)).toEqual(members.map(({ score }) => score !== null));
    expect(training.offsets).toHaveLength(index.length + 1);
    for (const [cell, episodes] of told.entries()) {
      const [from, to] = [training.offsets[cell], training.offsets[cell + 1]];
      expect([...training.steps.slice(from, to)]).toEqual(episodes.map(([step]) => step));
      expect([...training.returns.slice(from, to)]).toEqual(episodes.map(([, ret]) => Math.fround(ret)));
    }
  });

  it("tell every agent's networks where they differ from the parent's", async () => {
    const networks = networksOf(reports);
    for (const { ref, index, generation } of await bench.coordinator.agents(id)) {
      if (ref.kind === "fame") continue;
      const { agent } = decodeKeptAgent((await bench.coordinator.agent(id, ref)).bytes);
      for (const { name, parameters } of networks.get(`${generation}/${index}`) ?? [])
        expect(parameters).toBe(
          Object.values(agent.networks[name]?.tensors ?? {}).reduce((n, t) => n + t.length, 0),
        );
      expect(networks.get(`${generation}/${index}`)?.length).toBeGreaterThan(0);
    }
    expect(reports[0]?.members.every(({ network }) => network)).toBe(true);
  });

  it("say of a mutation what it changed", () => {
    const networks = networksOf(reports);
    const all = reports.flatMap(({ generation, members, lineage }) =>
      members.map((member) => ({ ...member, generation, change: lineage[member.slot]?.hyperparameters })),
    );
    expect(all.map(({ mutation_detail }) => mutation_detail === undefined)).toEqual(
      all.map(({ mutation }) => mutation === "None"),
    );
    const steps = all.filter(({ mutation_detail }) => mutation_detail?.kind === "hyperparameter");
    expect(steps.map(({ mutation_detail }) => mutation_detail)).toEqual(
      steps.map(({ mutation, change }) => ({
        kind: "hyperparameter",
        method: mutation,
        ...change?.[mutation],
      })),
    );
    const reshaped = all.filter(
      ({ mutation_detail, generation }) => mutation_detail?.kind === "architecture" && generation > 1,
    );
    expect(reshaped.length).toBeGreaterThan(0);
    const found = reshaped.map(({ generation, index, parent, mutation, mutation_detail: detail }) => {
      const [own, before] = [`${generation}/${index}`, `${generation - 1}/${parent}`].map((agent) =>
        networks.get(agent)?.find(({ name }) => name === detail?.network),
      );
      const isLayer = own?.layers.length !== before?.layers.length;
      const [from, to] = [before, own].map((network) =>
        isLayer ? network?.layers.length : network?.layers[detail?.layer ?? -1]?.width,
      );
      return {
        kind: "architecture",
        network: detail?.network,
        method: mutation,
        layer: detail?.layer,
        from,
        to,
      };
    });
    expect(reshaped.map(({ mutation_detail }) => mutation_detail)).toEqual(found);
  });
});

describe("progress", () => {
  it("tells who trains in each slot, and how far", async () => {
    const bench = await new TestWorkbench().open();
    try {
      const manifest = tinyLander({ max_steps: 100_000_000, pop_size: 2 });
      const id = await bench.coordinator.start(
        { ...manifest, training: { ...manifest.training, evo_steps: 100_000 } },
        { seed: 3 },
      );
      const event = await bench.until(
        (e) => e.kind === "progress" && (e.report.members?.[0]?.steps ?? 0) > 0,
      );
      const members = event.kind === "progress" ? event.report.members : undefined;
      expect(members?.map(({ index, parent }) => [index, parent])).toEqual([
        [0, null],
        [1, null],
      ]);
      const { progress } = await bench.coordinator.snapshot(id);
      expect(progress?.members?.reduce((sum, { steps }) => sum + steps, 0)).toBe(progress?.global_step);
      await bench.coordinator.deleteRun(id);
    } finally {
      bench.close();
    }
  });

  it("counts whole generations as the end", async () => {
    const bench = await new TestWorkbench().open();
    try {
      // Four generations of 128 steps per member, for 3 members.
      const manifest = tinyDqn({ max_steps: 500 });
      const id = await bench.trainToEnd(manifest, 3);
      const { summary, total_steps } = await bench.coordinator.snapshot(id);
      expect([summary.global_step, total_steps]).toEqual([1536, 1536]);
    } finally {
      bench.close();
    }
  });
});
