import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EliteDirectory } from "../../src/storage/checkpoints.ts";
import { fromHalfFloats, toHalfFloats } from "../../src/storage/files.ts";
import { memoryFileStore, memoryRunIndex } from "../../src/storage/index.ts";
import { decodeKeptAgent } from "../../src/training/files.ts";
import type { AgentRef } from "../../src/workers/protocol.ts";
import { episodeOfFile } from "../stage/inside/support/episodes.ts";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

const SEED = 3;

describe.each([
  ["DQN", tinyDqn({ max_steps: 1536 })],
  ["PPO", tinyPpo({ max_steps: 2304 })],
])("what is kept of a run of %s", (_, manifest) => {
  const files = memoryFileStore();
  // Its clock stands still, so that there is time to keep every generation.
  const bench = new TestWorkbench({ files, now: () => 1 });
  const { coordinator } = bench;
  let id = "";
  beforeAll(async () => {
    await bench.open();
    id = await bench.trainToEnd(manifest, SEED);
  });
  afterAll(() => bench.close());

  it("lists elite and members of the last boundary, of checkpoints, and notable elites", async () => {
    const reports = await bench.reportsOf(id);
    const last = reports.at(-1);
    const kept = await coordinator.agents(id);
    const of = (kind: AgentRef["kind"]) => kept.filter(({ ref }) => ref.kind === kind);
    expect(of("elite").map(({ index, fitness }) => [index, fitness])).toEqual([
      [last?.members[last.elite]?.index, last?.fitnesses[last.elite]],
    ]);
    expect(of("member").map(({ index }) => index)).toEqual(last?.members.map(({ index }) => index));
    expect(of("checkpoint").length).toBeGreaterThanOrEqual(1 + (reports[0]?.members.length ?? 0));
    let best = Number.NEGATIVE_INFINITY;
    const worthy = reports.filter(({ generation, fitnesses }) => {
      const isBetter = Math.max(...fitnesses) > best;
      best = Math.max(best, ...fitnesses);
      return isBetter || generation % 10 === 0;
    });
    expect(of("fame").map(({ generation }) => generation)).toEqual(worthy.map((one) => one.generation));
    expect(of("fame").map(({ index }) => index)).toEqual(worthy.map((one) => one.members[one.elite]?.index));
  });

  it("gives each of them as a file, and at play", async () => {
    for (const { ref, index, fitness } of await coordinator.agents(id)) {
      const file = await coordinator.agent(id, ref);
      expect([file.index, file.fitness]).toEqual([index, fitness]);
      const { agent } = decodeKeptAgent(file.bytes);
      expect(agent.index).toBe(index);
      expect((await episodeOfFile(file, 7)).actions.length).toBeGreaterThan(0);
    }
  });

  it("gives everyone who asks bytes of their own", async () => {
    const first = await coordinator.agent(id, { kind: "elite" });
    const kept = first.bytes.slice();
    first.bytes.fill(0);
    expect((await coordinator.agent(id, { kind: "elite" })).bytes).toEqual(kept);
  });

  it("keeps a policy alone as the elite that it was, with weights as half floats", async () => {
    // The first generation is the first to be saved.
    const [alone, whole] = await Promise.all([
      coordinator.agent(id, { kind: "fame", generation: 1 }),
      coordinator.agent(id, { kind: "checkpoint", generation: 1, index: null }),
    ]);
    const [own, same] = [alone, whole].map(({ bytes }) => decodeKeptAgent(bytes).agent);
    for (const [name, { tensors }] of Object.entries(own?.networks ?? {}))
      for (const [tensor, values] of Object.entries(tensors)) {
        const exact = same?.networks[name]?.tensors[tensor] ?? new Float32Array();
        expect([exact, fromHalfFloats(toHalfFloats(exact))]).toContainEqual(values);
      }
    expect(Object.keys(own?.networks ?? {}).length).toBeGreaterThan(0);
    expect(own?.optimizers).toEqual({});
  });

  it("gives the policies of all members of the last boundary", async () => {
    const kept = (await coordinator.agents(id)).filter(({ ref }) => ref.kind === "member");
    const players = await coordinator.players(id, null);
    expect(players.map(({ index, generation, fitness }) => ({ index, generation, fitness }))).toEqual(
      kept.map(({ index, generation, fitness }) => ({ index, generation, fitness })),
    );
    for (const player of players) {
      const whole = await coordinator.agent(id, { kind: "member", index: player.index });
      expect(player.bytes.length).toBeLessThan(whole.bytes.length);
      expect(await episodeOfFile(player, 5)).toEqual(await episodeOfFile(whole, 5));
    }
  });

  it("gives all members of every generation as they were", async () => {
    const reports = await bench.reportsOf(id);
    for (const { generation, members, fitnesses } of reports) {
      const players = await coordinator.players(id, generation);
      expect(players.map((one) => [one.generation, one.index, one.fitness])).toEqual(
        members.map(({ index }, slot) => [generation, index, fitnesses[slot]]),
      );
      for (const player of players)
        expect((await episodeOfFile(player, 5)).actions.length).toBeGreaterThan(0);
    }
    expect((await coordinator.players(id, 1e6))[0]?.generation).toBe(reports.length);
  });

  it("gives the elite of every generation, and of others the nearest one before", async () => {
    const reports = await bench.reportsOf(id);
    for (const { generation, elite, members, fitnesses } of reports) {
      const file = await coordinator.eliteAt(id, generation);
      expect([file?.generation, file?.index, file?.fitness]).toEqual([
        generation,
        members[elite]?.index,
        fitnesses[elite],
      ]);
      if (!file) throw new Error(`no elite of generation ${generation}`);
      expect((await episodeOfFile(file, 7)).actions.length).toBeGreaterThan(0);
    }
    expect((await coordinator.eliteAt(id, 1e6))?.generation).toBe(reports.length);
    expect((await coordinator.eliteAt(id, 0))?.generation).toBe(1);
    await coordinator.pinElite(id, 2, true);
    expect((await bench.store.fame.list(id)).filter(({ pinned }) => pinned)).toHaveLength(1);
    await expect(coordinator.pinElite(id, 9999, true)).rejects.toThrow("9999");
  });

  it("goes without an elite whose file was deleted", async () => {
    const copy = new TestWorkbench();
    const imported = await copy.coordinator.importRun((await coordinator.exportRun(id)).bytes);
    expect(await copy.store.fame.list(imported)).toEqual(await bench.store.fame.list(id));
    const dir = `/v1/runs/${imported}/elites`;
    const { entries } = await EliteDirectory.read(copy.files, dir);
    await copy.files.remove(`${dir}/${entries[2]?.sha256}.safetensors`);
    expect((await copy.coordinator.eliteAt(imported, 3))?.generation).toBe(2);
    await copy.files.remove(dir);
    expect(await copy.coordinator.eliteAt(imported, 3)).toBeNull();
    copy.close();
  });

  it("describes its networks with their weights", async () => {
    const networks = await coordinator.network(id, { kind: "elite" });
    const { agent } = decodeKeptAgent((await coordinator.agent(id, { kind: "elite" })).bytes);
    for (const { name, layers, parameters, weights } of networks) {
      const tensors = Object.values(agent.networks[name]?.tensors ?? {});
      expect(parameters).toBe(tensors.reduce((sum, { length }) => sum + length, 0));
      expect(layers.reduce((sum, layer) => sum + layer.parameters, 0)).toBe(parameters);
      const counted = weights.flatMap(({ histogram }) => histogram.counts).reduce((a, b) => a + b, 0);
      expect(counted).toBe(parameters);
    }
    expect(networks[0]?.layers.length).toBeGreaterThan(1);
  });

  it("says what is not kept", async () => {
    await expect(coordinator.agent(id, { kind: "member", index: 9999 })).rejects.toThrow("member 9999");
    await expect(coordinator.agent(id, { kind: "fame", generation: 9999 })).rejects.toThrow(
      "The elite of generation 9999 is not stored",
    );
    await expect(coordinator.agents("none")).rejects.toThrow("There is no run none");
  });

  it("lets checkpoints be pinned and deleted, but not the newest", async () => {
    const [newest] = await coordinator.checkpoints(id);
    const generation = newest?.generation ?? 0;
    expect(newest?.at).toBeGreaterThan(0);
    await coordinator.pin(id, generation, true);
    expect((await coordinator.checkpoints(id))[0]?.pinned).toBe(true);
    await expect(coordinator.deleteCheckpoint(id, generation)).rejects.toThrow("the newest checkpoint");
    await expect(coordinator.pin(id, 9999, true)).rejects.toThrow("no checkpoint of generation 9999");
  });
});

describe("a stopped run that has final evaluations", () => {
  it("gives the champion so far as its elite, also when it is read again", async () => {
    const files = memoryFileStore();
    const index = memoryRunIndex();
    const bench = await new TestWorkbench({ files, index }).open();
    const tiny = tinyDqn({ max_steps: 100_000 });
    const manifest = { ...tiny, training: { ...tiny.training, final_episodes: 4 } };
    const id = await bench.coordinator.start(manifest, { seed: SEED });
    let best = Number.NEGATIVE_INFINITY;
    const isWorse = ({ fitnesses }: { readonly fitnesses: readonly number[] }) => {
      const here = Math.max(...fitnesses);
      const was = best;
      best = Math.max(best, here);
      return here < was;
    };
    await bench.until((event) => event.run === id && event.kind === "generation" && isWorse(event.report));
    await bench.coordinator.stop(id);
    const reports = await bench.reportsOf(id);
    const most = Math.max(...reports.flatMap(({ fitnesses }) => fitnesses));
    const { fitness, bytes } = await bench.coordinator.agent(id, { kind: "elite" });
    expect(fitness).toBe(most);
    bench.close();
    const again = await new TestWorkbench({ files, index }).open();
    expect((await again.coordinator.agent(id, { kind: "elite" })).bytes).toEqual(bytes);
    again.close();
  });
});
