import { afterEach, describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { decodeKeptAgent } from "../../src/training/files.ts";
import type { AgentRef } from "../../src/workers/protocol.ts";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { mortalFiles } from "./support/mortalFiles.ts";
import { TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const made = await new TestWorkbench(options).open();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

const SEED = 3;

describe("extend", () => {
  it("lets a finished run go on to the bits of one that was longer from the start", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const { coordinator } = bench;
    const expected = await bench.outcome(await bench.trainToEnd(tinyPpo({ max_steps: 1536 }), SEED));
    const id = await bench.trainToEnd(tinyPpo({ max_steps: 768 }), SEED);
    const { manifest } = await coordinator.snapshot(id);
    await expect(coordinator.extend(id, 700)).rejects.toThrow("allowed more than 768");
    await expect(coordinator.extend(id, 1000.5)).rejects.toThrow("max_steps");
    await coordinator.extend(id, 1536);
    await bench.nextState(id, "finished");
    expect(await bench.outcome(id)).toEqual(expected);
    expect((await coordinator.snapshot(id)).manifest).toEqual(manifest);
    // It stays finished in the next tab.
    const next = await workbench({ files });
    await expect(next.coordinator.resume(id)).rejects.toThrow("This run is finished");
  });
});

describe("compare with no evolution", () => {
  it("queues the same run without evolution as its pair, which waits while the run trains", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const { coordinator } = bench;
    const manifest = { ...tinyDqn(), training: { ...tinyDqn().training, final_episodes: 3 } };
    const id = await coordinator.start(manifest, { seed: SEED, name: "evolving" });
    const pair = await coordinator.compare(id);
    expect((await coordinator.snapshot(pair)).summary).toMatchObject({ waiting: true, compared_with: id });
    await bench.firstState(pair, "finished");
    const [run, still] = [await coordinator.snapshot(id), await coordinator.snapshot(pair)];
    expect(still.manifest).toMatchObject({ tournament_selection: { strategy: "none" } });
    expect(still.manifest).not.toHaveProperty("mutation");
    expect(still.options).toEqual(run.options);
    expect(still.summary).toMatchObject({
      name: "evolving (no evolution)",
      compared_with: id,
      global_step: run.summary.global_step,
      champion: { episodes: 3 },
    });
    expect(run.summary).toMatchObject({ compared_with: null, champion: { episodes: 3 } });
    await expect(coordinator.compare(pair)).rejects.toThrow("found no selection");
    // Another tab reads it from the disk.
    const next = await workbench({ files });
    const { summary } = await next.coordinator.snapshot(pair);
    expect(summary.compared_with).toBe(id);
    expect(summary.champion).toEqual(still.summary.champion);
  });

  it("is of the length that the run was extended to", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await bench.trainToEnd(tinyPpo({ max_steps: 384 }), SEED);
    await coordinator.extend(id, 768);
    await bench.nextState(id, "finished");
    const pair = await coordinator.compare(id);
    await bench.until((e) => e.run === pair && e.kind === "state" && e.state === "finished");
    const { summary } = await coordinator.snapshot(pair);
    expect(summary.global_step).toBe((await coordinator.snapshot(id)).summary.global_step);
    expect(summary.champion).toBeNull();
  });
});

describe("a resumed run", () => {
  it("counts its evaluations on from those before", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn({ max_steps: 1024 }), { seed: SEED });
    await bench.untilGeneration(id, 2);
    await coordinator.stop(id);
    await coordinator.resume(id);
    await bench.until((e) => e.run === id && e.kind === "state" && e.state === "finished");
    const { bytes } = await coordinator.downloadMetrics(id);
    const [header = "", ...rows] = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
    const at = header.split(",").indexOf("eval/total_episodes");
    const each = 3 * 4;
    expect(rows.map((row) => Number(row.split(",")[at]))).toEqual(rows.map((_, row) => each * (row + 1)));
  });
});

describe("fork", () => {
  it("of a population goes on as the run itself would have", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const expected = await bench.outcome(await bench.trainToEnd(tinyDqn({ max_steps: 1024 }), SEED));
    const id = await bench.trainToEnd(tinyDqn({ max_steps: 512 }), SEED);
    const { manifest } = await coordinator.snapshot(id);
    const longer = {
      ...(manifest as object),
      training: { ...(manifest as { training: object }).training, max_steps: 1024 },
    };
    const forked = await coordinator.fork(id, { kind: "elite" }, "resume", longer);
    await bench.firstState(forked, "finished");
    const outcome = await bench.outcome(forked);
    expect(outcome.members).toEqual(expected.members);
    expect(outcome.generations).toEqual(expected.generations.slice(4));
    expect((await coordinator.snapshot(forked)).summary.name).toBe("DQN CartPole-v1 (fork)");
    expect((await coordinator.snapshot(id)).summary.generation).toBe(4);
  });

  it.each([
    ["elite", tinyPpo()],
    ["fame", tinyPpo()],
    ["fame", tinyDqn()],
  ] as const)("of an agent's weights begins with them: %s", async (kind, manifest) => {
    const files = memoryFileStore();
    const mortal = mortalFiles(files);
    const bench = await workbench({ files: mortal });
    const { coordinator } = bench;
    const id = await bench.trainToEnd(manifest, SEED);
    const kept = (await coordinator.agents(id)).findLast(({ ref }) => ref.kind === kind);
    const ref = kept?.ref ?? { kind: "elite" };
    const { agent } = decodeKeptAgent((await coordinator.agent(id, ref)).bytes);
    const forked = await coordinator.fork(id, ref, "weights");
    // Its starting state is on disk before it trains.
    mortal.kill();
    const next = await workbench({ files });
    const first = (await next.coordinator.agents(forked)).filter((one) => one.ref.kind === "checkpoint");
    expect(first).toEqual([]);
    for (let index = 0; index < 3; index++) {
      const file = await next.coordinator.agent(forked, { kind: "checkpoint", generation: 0, index });
      const member = decodeKeptAgent(file.bytes).agent;
      for (const [name, network] of Object.entries(agent.networks))
        expect(member.networks[name]).toEqual(network);
      expect(Object.values(member.optimizers).every(({ step }) => step === 0)).toBe(true);
    }
    await next.coordinator.resume(forked);
    expect(await next.nextState(forked, "finished", "failed")).toBe("finished");
  });

  it("says what does not fit", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await bench.trainToEnd(tinyPpo(), SEED);
    const elite: AgentRef = { kind: "elite" };
    await expect(coordinator.fork(id, elite, "resume", tinyPpo({ pop_size: 2 }))).rejects.toThrow(
      "training.pop_size: found 2, the population has 3 members",
    );
    await expect(coordinator.fork(id, elite, "resume", tinyDqn())).rejects.toThrow(
      "trained by PPO on Pendulum-v1, but the manifest names DQN on CartPole-v1",
    );
    await expect(coordinator.fork(id, elite, "weights", tinyDqn())).rejects.toThrow("use the same algorithm");
    const other = { ...tinyPpo(), environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 } };
    await expect(coordinator.fork(id, elite, "weights", other)).rejects.toThrow("observation_space");
    await expect(coordinator.fork(id, { kind: "fame", generation: 1 }, "resume")).rejects.toThrow(
      "only their networks are kept",
    );
    expect(await coordinator.listRuns()).toHaveLength(1);
  });
});

describe("queue", () => {
  it("starts a run when the one before it has ended", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const expected = await bench.outcome(await bench.trainToEnd(tinyDqn(), SEED));
    const live = await coordinator.start(tinyDqn({ max_steps: 100_000_000 }), { seed: SEED });
    const id = await coordinator.queue(tinyDqn(), { seed: SEED, name: "next" });
    const dropped = await coordinator.queue(tinyDqn(), { seed: SEED });
    await coordinator.deleteRun(dropped);
    expect((await coordinator.snapshot(id)).summary).toMatchObject({
      name: "next",
      state: "stopped",
      generation: 0,
    });
    const ended = bench.nextState(id, "finished", "failed");
    await coordinator.stop(live);
    expect(await ended).toBe("finished");
    expect(await bench.outcome(id)).toEqual(expected);
  });

  it("starts at once where nothing trains, and refuses what cannot start", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.queue(tinyDqn(), { seed: SEED });
    await bench.nextState(id, "finished");
    await expect(coordinator.queue({ algorithm: { name: "DQM" } })).rejects.toThrow("DQM");
  });
});
