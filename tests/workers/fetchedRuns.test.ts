/** Runs whose data set is fetched from the hub before they train. */

import { afterEach, expect, it, vi } from "vitest";
import { KEPT_DIRECTORY } from "../../src/datasets/kept.ts";
import { minariBytes, minariMetadata } from "../datasets/support/hdf5Files.ts";
import { stubHub } from "../datasets/support/stubHub.ts";
import { cqn, EPISODES, STEPS } from "../training/support/tinyData.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

const ID = "cartpole/tiny-v0";
const SEED = 3;
const hub = {
  id: ID,
  hub: "https://huggingface.co",
  main: await minariBytes(EPISODES),
  metadata: minariMetadata({
    total_episodes: EPISODES.length,
    total_steps: STEPS,
    observation_space: undefined,
    action_space: undefined,
    dataset_id: ID,
  }),
};
const ALL = hub.main.length;
const { replay_buffer: _, ...tiny } = cqn();
const manifest = {
  ...tiny,
  environment: {
    env_type: "offline",
    name: "CartPole-v1",
    num_envs: 4,
    hub_dataset_id: ID,
    remote: true,
  },
};

const open: TestWorkbench[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.close();
  vi.unstubAllGlobals();
});

async function workbench(): Promise<TestWorkbench> {
  const bench = await new TestWorkbench().open();
  open.push(bench);
  return bench;
}

const fetchesOf = ({ events }: TestWorkbench) =>
  events.flatMap((event) => (event.kind === "fetch" ? [event.fetch] : []));

/** Waits until `bytes` bytes of a run's data have been received. */
const untilReceived = (bench: TestWorkbench, bytes: number) =>
  bench.until((event) => event.kind === "fetch" && event.fetch?.received === bytes);

it("say how far the download is, and train when it is whole as if the data had been here", async () => {
  const bench = await workbench();
  const { coordinator } = bench;
  let goOn = () => undefined as void;
  stubHub(hub, 1000, new Promise((resolve) => void (goOn = resolve)));
  const id = await coordinator.start(manifest, { seed: SEED });
  await untilReceived(bench, 1000);
  const { summary } = await coordinator.snapshot(id);
  const received = { dataset: ID, received: 1000, total: ALL };
  expect(summary).toMatchObject({ state: "stopped", fetch: received });
  expect(await coordinator.listRuns()).toMatchObject([{ id, fetch: received }]);
  const ended = bench.nextState(id, "finished", "failed");
  goOn();
  expect(await ended).toBe("finished");
  expect(fetchesOf(bench)[0]).toEqual({ dataset: ID, received: 0, total: null });
  expect(fetchesOf(bench).at(-2)).toEqual({ dataset: ID, received: ALL, total: ALL });
  expect(fetchesOf(bench).at(-1)).toBeNull();
  expect((await coordinator.snapshot(id)).summary.fetch).toBeNull();
  // The data set is now stored, and nothing is fetched.
  const again = await bench.trainToEnd(manifest, SEED);
  expect(await bench.outcome(again)).toEqual(await bench.outcome(id));
  expect(fetchesOf(bench).filter((fetch) => fetch === null)).toHaveLength(1);
});

it("fail with why it did not come, and go on from what came when they are resumed", async () => {
  const bench = await workbench();
  const { coordinator } = bench;
  stubHub(hub, 1000, "break");
  const broken = globalThis.fetch;
  // Later connections fail.
  let connections = 0;
  vi.stubGlobal("fetch", async (address: string, options: RequestInit) => {
    if (address.endsWith(".hdf5") && connections++ > 0) throw new TypeError("no network");
    return broken(address, options);
  });
  const id = await coordinator.start(manifest, { seed: SEED });
  await bench.until((event) => event.run === id && event.kind === "state" && event.state === "failed");
  const { summary, failure } = await coordinator.snapshot(id);
  expect(summary).toMatchObject({ state: "failed", generation: 0 });
  expect(failure).toContain(`${ID}: https://huggingface.co/`);
  expect(failure).toContain("no network");
  const ranges = stubHub(hub, ALL, "break");
  const ended = bench.nextState(id, "finished", "failed");
  await coordinator.resume(id);
  expect(ranges).toEqual(["bytes=1000-"]);
  expect(await ended).toBe("finished");
});

it("wait on when the download is cancelled, and are deleted while it comes", async () => {
  const bench = await workbench();
  const { coordinator } = bench;
  stubHub(hub, 1000, "wait");
  const id = await coordinator.start(manifest, { seed: SEED });
  await untilReceived(bench, 1000);
  await coordinator.stop(id);
  await bench.until((event) => event.kind === "fetch" && event.fetch === null);
  expect((await coordinator.snapshot(id)).summary).toMatchObject({ state: "stopped", generation: 0 });
  const resumed = coordinator.resume(id);
  await untilReceived(bench, 2000);
  await coordinator.deleteRun(id);
  await resumed;
  expect(await coordinator.listRuns()).toEqual([]);
  expect(bench.events.filter((event) => event.kind === "state")).toEqual([]);
});

it("let another run start meanwhile, and train after it", async () => {
  const bench = await workbench();
  const { coordinator } = bench;
  let goOn = () => undefined as void;
  stubHub(hub, 1000, new Promise((resolve) => void (goOn = resolve)));
  const id = await coordinator.start(manifest, { seed: SEED });
  await untilReceived(bench, 1000);
  const other = await coordinator.start(tinyDqn({ max_steps: 100_000_000 }), { seed: SEED });
  goOn();
  await bench.until((event) => event.kind === "fetch" && event.fetch === null);
  const ended = bench.nextState(id, "finished", "failed");
  await coordinator.stop(other);
  expect(await ended).toBe("finished");
});

it("are refused before anything is stored where the id is none", async () => {
  const bench = await workbench();
  const environment = { ...manifest.environment, hub_dataset_id: "no id" };
  await expect(bench.coordinator.start({ ...manifest, environment })).rejects.toThrow(
    'hub_dataset_id: found "no id"',
  );
  expect(await bench.coordinator.listRuns()).toEqual([]);
});

it.each(["resume", "weights"] as const)(
  "fetch again for a fork that takes the %s, where the data set was deleted",
  async (how) => {
    const bench = await workbench();
    const { coordinator, files } = bench;
    stubHub(hub, ALL, "break");
    const id = await coordinator.start(manifest, { seed: SEED });
    expect(await bench.firstState(id, "finished", "failed")).toBe("finished");
    await files.remove(KEPT_DIRECTORY);
    let goOn = () => undefined as void;
    stubHub(hub, 1000, new Promise((resolve) => void (goOn = resolve)));
    const longer = { ...manifest, training: { ...manifest.training, max_steps: 360 } };
    const fork = await coordinator.fork(id, { kind: "elite" }, how, longer);
    await untilReceived(bench, 1000);
    const received = { dataset: ID, received: 1000, total: ALL };
    expect((await coordinator.snapshot(fork)).summary).toMatchObject({ state: "stopped", fetch: received });
    const done = bench.nextState(fork, "finished", "failed");
    goOn();
    expect(await done).toBe("finished");
    const { summary } = await coordinator.snapshot(fork);
    expect(summary.fetch).toBeNull();
    // The same outcome as of a fork that starts with the data already stored.
    const again = await coordinator.fork(id, { kind: "elite" }, how, longer);
    expect(await bench.firstState(again, "finished", "failed")).toBe("finished");
    expect(await bench.outcome(again)).toEqual(await bench.outcome(fork));
  },
);
