/** Policies of all members of past generations: within their limit, of earlier versions, of resumed and of imported runs. */
import { afterEach, describe, expect, it } from "vitest";
import { EliteDirectory } from "../../src/storage/checkpoints.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { decodePopulation, PopulationFiles } from "../../src/training/loop.ts";
import { reinforcementLearning } from "../../src/training/workloads.ts";
import { agentOf } from "../rl/support/agents.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

const SEED = 3;
const open: TestWorkbench[] = [];

/** With a clock that stands still, so that there is time to keep every generation. */
function workbench(files = memoryFileStore()): Promise<TestWorkbench> {
  const bench = new TestWorkbench({ files, now: () => 1 });
  open.push(bench);
  return bench.open();
}

const keptIn = async ({ store }: TestWorkbench, id: string) =>
  (await store.populations.list(id)).map(({ generation }) => generation);

/** Generation and number of those who play when a generation is asked for. */
async function playersAt({ coordinator }: TestWorkbench, id: string, generation: number) {
  const players = await coordinator.players(id, generation);
  return [players[0]?.generation, players.length];
}

describe("policies of all members", () => {
  afterEach(() => {
    for (const bench of open.splice(0)) bench.close();
  });

  it("are thinned when they exceed their limit, which is said, and the nearest ones that are left play", async () => {
    const bench = await workbench();
    const whole = await bench.trainToEnd(tinyDqn({ max_steps: 1280 }), SEED);
    expect(await keptIn(bench, whole)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const said = () =>
      bench.events.filter((e) => e.kind === "notice" && /exceed their limit/.test(e.notice.message));
    expect(said()).toEqual([]);
    const bytes = await bench.store.populations.bytes(whole);
    const policy = await bench.coordinator.policy();
    await bench.coordinator.setPolicy({ ...policy, population_bytes: Math.round(bytes / 2) });
    const thinned = await bench.trainToEnd(tinyDqn({ max_steps: 1280 }), SEED);
    const kept = await keptIn(bench, thinned);
    expect(kept.length).toBeLessThan(6);
    expect(kept).toEqual(expect.arrayContaining([1, 10]));
    expect(await bench.store.populations.bytes(thinned)).toBeLessThanOrEqual(bytes / 2);
    expect(said()).toHaveLength(1);
    // The checkpoint of the first generation that was saved may be nearer.
    for (const generation of [2, 5, 9]) {
      const [found = 0, members] = await playersAt(bench, thinned, generation);
      expect(members).toBe(3);
      for (const other of kept)
        expect(Math.abs(found - generation)).toBeLessThanOrEqual(Math.abs(other - generation));
    }
  });

  it("are absent from runs of earlier versions, of which the champions play", async () => {
    const bench = await workbench();
    const id = await bench.trainToEnd(tinyDqn({ max_steps: 1280 }), SEED);
    await bench.files.remove(`/v1/runs/${id}/populations`);
    const saved = (await bench.coordinator.checkpoints(id)).map(({ generation }) => generation);
    const past = [2, 3, 4, 5].find((generation) => !saved.includes(generation)) ?? 0;
    const again = await workbench(bench.files);
    expect(await playersAt(again, id, past)).toEqual([past, 1]);
  });

  it("travel with an exported run, whose champions play where they are damaged", async () => {
    const bench = await workbench();
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const { bytes } = await bench.coordinator.exportRun(id);
    const other = await workbench();
    const copy = await other.coordinator.importRun(bytes);
    expect(await other.coordinator.players(copy, 2)).toEqual(await bench.coordinator.players(id, 2));
    const dir = `/v1/runs/${copy}/populations`;
    const saved = (await other.coordinator.checkpoints(copy)).map(({ generation }) => generation);
    const { entries } = await EliteDirectory.read(other.files, dir);
    const entry = entries.find(({ generation }) => !saved.includes(generation));
    await other.files.write(`${dir}/${entry?.sha256}.safetensors`, new Uint8Array(9));
    expect(await playersAt(other, copy, entry?.generation ?? 0)).toEqual([entry?.generation, 1]);
  });
});

describe("the file of a population", () => {
  const { files } = reinforcementLearning;
  const net = { hidden_size: [64] };
  const agent = agentOf(
    { name: "PPO" },
    { network: { latent_dim: 64, encoder_config: net, head_config: net } },
  );
  const members = Array.from({ length: 16 }, (_, index) => ({ ...agent, index }));
  const boundary = (all = members) => ({
    state: { members: all, elite: agent } as never,
    generation: 1,
    global_step: 10,
    fitness: 1,
    delivered: null,
    elite_fitness: null,
    encode: () => new Map(),
  });

  it("of 16 members of 64-64 takes less than a hundredth of 64 MB, and holds each of them", () => {
    const warned: string[] = [];
    const of = { files, facts: {}, warn: (text: string) => void warned.push(text), now: () => 0 };
    const { policy = new Uint8Array() } = new PopulationFiles(of).encode(boundary()) ?? {};
    expect(policy.length * 100).toBeLessThan(64e6);
    expect(policy.length).toBeGreaterThan(16 * 2 * 64 * 64);
    expect(decodePopulation(policy, files, "x").map(({ index }) => index)).toEqual(
      members.map((m) => m.index),
    );
    expect(warned).toEqual([]);
  });

  it("is left out where it would take too much of the time", () => {
    let time = 0;
    const kept = new PopulationFiles({ files, facts: {}, warn: () => undefined, now: () => time++ * 600 });
    // Each takes 600 ms, which is more than is free, and 2 % of the time.
    const tried = Array.from({ length: 40 }, () => kept.encode(boundary(members.slice(0, 1))) !== null);
    expect(tried[0]).toBe(true);
    expect(tried.filter(Boolean).length).toBeLessThan(4);
    expect(tried.slice(1).some(Boolean)).toBe(true);
  });
});
