/** Runs in the coordinator that learn from data, which are the tab's files, and runs that go on from them. */
import { afterEach, expect, it } from "vitest";
import { decodeAgent } from "../../src/training/files.ts";
import { cqn, dataStore, STEPS } from "../training/support/tinyData.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

const { replay_buffer: _, ...manifest } = cqn();

it("trains from a data set among the tab's files, and refuses to start without it", async () => {
  const disk = await dataStore();
  const bench = await new TestWorkbench({ files: disk }).open();
  open.push(bench);
  const id = await bench.trainToEnd(manifest, 3);
  const { summary } = await bench.coordinator.snapshot(id);
  expect(summary).toMatchObject({ state: "finished", algorithm: "CQN", global_step: 360 });
  const latest = await bench.store.latestCheckpoint(id);
  const names = [...(latest?.files.keys() ?? [])];
  expect(names.filter((name) => name.startsWith("replay"))).toEqual([]);
  const record = JSON.parse(new TextDecoder().decode(latest?.files.get("run.json")));
  expect(record.replay.dataset).toMatchObject({ source: "data-v0", rows: STEPS });

  await disk.remove("data-v0");
  const before = (await bench.coordinator.listRuns()).length;
  await expect(bench.coordinator.start(manifest)).rejects.toThrow("data-v0: no such file or folder");
  expect(await bench.coordinator.listRuns()).toHaveLength(before);
});

it("begins with the agent of another run, also when it waited for its turn", async () => {
  const bench = await new TestWorkbench({ files: await dataStore() }).open();
  open.push(bench);
  const { coordinator, store } = bench;
  const before = await bench.trainToEnd(manifest, 3);
  const held = decodeAgent((await coordinator.downloadElite(before)).bytes, "elite").agent;
  const { environment, training } = tinyDqn();
  const still = { max_steps: 4, evo_steps: 4, learning_delay: 4, load_weights_from: `runs/${before}` };
  // It acts for one step of each lane, and learns nothing.
  const online = {
    algorithm: { name: "DQN" },
    environment,
    training: { ...training, pop_size: 1, ...still },
  };
  const first = await coordinator.start(online, { seed: 5 });
  const queued = await coordinator.queue(online, { seed: 6 });
  for (const id of [first, queued]) {
    await bench.firstState(id, "finished");
    const { bytes } = await coordinator.downloadElite(id);
    expect(decodeAgent(bytes, id).agent.networks).toEqual(held.networks);
  }

  await coordinator.deleteRun(before);
  const count = (await store.listRuns()).length;
  await expect(coordinator.start(online)).rejects.toThrow(
    `runs/${before}: is not a checkpoint: it contains no agent`,
  );
  expect(await store.listRuns()).toHaveLength(count);
});

it("trains from data alone, and gives its agents also where the data are gone", async () => {
  const disk = await dataStore();
  const bench = await new TestWorkbench({ files: disk }).open();
  open.push(bench);
  const alone = {
    ...manifest,
    environment: { dataset_path: "flat.hdf5" },
    training: { ...manifest.training, max_steps: 120, fqe_steps: 20 },
  };
  expect((await bench.coordinator.estimate(JSON.stringify(alone))).bytes).toBeGreaterThan(0);
  const id = await bench.trainToEnd(alone, 3);
  const { summary } = await bench.coordinator.snapshot(id);
  expect(summary).toMatchObject({ state: "finished", environment: "none", global_step: 240 });
  const [report] = await bench.reportsOf(id);
  expect(report?.members[0]?.metrics).toHaveProperty("fqe_td_error");

  // As after a reload, where nothing has been read yet.
  await disk.remove("flat.hdf5");
  const again = await new TestWorkbench({ files: disk }).open();
  open.push(again);
  await expect(again.coordinator.downloadPolicy(id)).rejects.toThrow("environment.dataset_path: flat.hdf5");
  expect(decodeAgent((await again.coordinator.downloadElite(id)).bytes, "elite").agent.algorithm).toBe("CQN");
  await expect(again.coordinator.start(alone)).rejects.toThrow("flat.hdf5: no such file or folder");
});
