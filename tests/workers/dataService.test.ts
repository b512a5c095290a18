/** The data service: adding, fetching, recording and deleting data sets, and its state after a fault. */
import { unzipSync } from "fflate";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createAgent } from "../../src/agents/members.ts";
import { KEPT_DIRECTORY } from "../../src/datasets/kept.ts";
import { parseManifest } from "../../src/manifests/index.ts";
import { findEnvironment } from "../../src/rl/environments.ts";
import { openedModule, openUserEnvironment } from "../../src/sandbox/environments.ts";
import { prepareModule } from "../../src/sandbox/modules.ts";
import { provideSandboxes } from "../../src/sandbox/sandboxes.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { encodeAgent } from "../../src/training/files.ts";
import { STARTER } from "../../src/ui/ownEnvironment/starter.ts";
import { DataService } from "../../src/workers/coordinator.ts";
import type { FetchProgress } from "../../src/workers/pages.ts";
import { minariBytes, minariMetadata } from "../datasets/support/hdf5Files.ts";
import { stubHub as stubHubOf } from "../datasets/support/stubHub.ts";
import { inProcess } from "../sandbox/inside/support/inProcess.ts";

const ID = "game/random-v0";
const HUB = "https://hub.example";
const main = await minariBytes();
const file = (name: string, content: Uint8Array | string) => ({
  name,
  content: new Blob([typeof content === "string" ? content : new Uint8Array(content)]),
});
const FOLDER = [file("main_data.hdf5", main), file("metadata.json", minariMetadata())];

/** Paths of all files in a store. */
async function filesOf(store: FileStore, directory: string = KEPT_DIRECTORY): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await store.list(directory)) {
    const path = `${directory}/${name}`;
    if (kind === "file") found.push(path);
    else found.push(...(await filesOf(store, path)));
  }
  return found;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a data set that is added", () => {
  it("lies once under its hash, is found by what it is called, and shows what it holds", async () => {
    const store = memoryFileStore();
    const service = new DataService(store);
    const added = await service.add("somewhere", FOLDER);
    expect(added).toMatchObject({ name: ID, kind: "episodes", origin: "added", environment: "Game-v1" });
    expect(added).toMatchObject({ rows: 5, episodes: 2, hub_dataset_id: null });
    expect(await service.add("again", FOLDER)).toEqual(added);
    const directory = `${KEPT_DIRECTORY}/${added.sha256}`;
    expect(await filesOf(store)).toEqual(
      ["COMMIT.json", "main_data.hdf5", "metadata.json"].map((name) => `${directory}/${name}`),
    );
    expect(await service.list()).toEqual([added]);

    const view = await service.view(added.sha256);
    expect(view.episodes.map((episode) => [episode.steps, episode.return, episode.end])).toEqual([
      [3, 6, "terminated"],
      [2, 2, "truncated"],
    ]);
    expect(view).toMatchObject({ mean_return: 4, steps: 5, format: "minari" });
    expect(view.lengths).toEqual({ min: 2, max: 4, whole: true, counts: [1, 1] });
    expect(view.acted).toEqual([{ min: 0, max: 3, whole: true, counts: [2, 1, 2] }]);
    expect(view.visited?.size).toBe(2);
    expect([...(view.visited?.values ?? [])]).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 10, 11, 11, 12, 12, 13]);

    const { name, bytes } = await service.archive(added.sha256);
    expect(name).toBe("game-random-v0.zip");
    const zipped = unzipSync(bytes);
    expect(zipped[`${ID}/data/main_data.hdf5`]).toEqual(new Uint8Array(main));
    expect(Object.keys(zipped)).toContain(`${ID}/data/metadata.json`);

    await service.remove(added.sha256);
    expect(await filesOf(store)).toEqual([]);
    await expect(service.view(added.sha256)).rejects.toThrow("is not stored in this browser");
  });

  it("may be a table, and gets a number where its name is taken", async () => {
    const service = new DataService(memoryFileStore());
    const table = (rows: string) => [file("features.csv", rows), file("targets.csv", "a\nb")];
    const first = await service.add("mine", table("1,2\n3,4"));
    expect(first).toMatchObject({ name: "mine", kind: "table", rows: 2, episodes: null });
    expect(await service.add("mine", table("1,2\n3,5"))).toMatchObject({ name: "mine-2" });
    await expect(service.view(first.sha256)).rejects.toThrow("is a table for bandits");
  });

  it.each([
    [
      "a file that is cut off",
      [file("main_data.hdf5", main.slice(0, 2000))],
      "is truncated: found 2000 bytes",
    ],
    ["no HDF5 file", [file("main_data.hdf5", "<html>")], "is not an HDF5 file"],
    ["no file that is read", [file("notes.txt", "x")], "found notes.txt; allowed one HDF5 file"],
    ["two files", [file("a.h5", main), file("b.h5", main)], "found a.h5, b.h5; allowed one HDF5 file"],
    ["a table with text", [file("features.csv", "1\nx"), file("targets.csv", "0\n1")], 'line 2: found "x"'],
    [
      "metadata of other data",
      [file("main_data.hdf5", main), file("metadata.json", minariMetadata({ total_episodes: 3 }))],
      "found 2 episodes, allowed 3",
    ],
  ])("is refused where it is %s, and nothing is left of it", async (_name, files, message) => {
    const store = memoryFileStore();
    await expect(new DataService(store).add("it", files)).rejects.toThrow(message);
    expect(await filesOf(store)).toEqual([]);
  });

  it("leaves nothing behind where there is no room, and what a tab left unfinished is swept", async () => {
    const store = memoryFileStore({ capacity: main.length + 100 });
    await store.write(`${KEPT_DIRECTORY}/${"a".repeat(64)}/main_data.hdf5`, new Uint8Array(50));
    await expect(new DataService(store).add("it", FOLDER)).rejects.toThrow(
      `${ID}: no storage space left for it`,
    );
    expect(await filesOf(store)).toEqual([]);
  });
});

const stubHub = (most: number, after: "break" | "wait") =>
  stubHubOf({ id: ID, hub: HUB, main, metadata: minariMetadata() }, most, after);

describe("a data set of the hub", () => {
  it("goes on where it broke, tells how far it is, and lies once under its hash", async () => {
    const ranges = stubHub(Math.ceil(main.length / 2), "break");
    const store = memoryFileStore();
    const service = new DataService(store);
    const told: FetchProgress[] = [];
    const kept = await service.fetch(ID, HUB, (progress) => told.push(progress));
    expect(kept).toMatchObject({ name: ID, hub_dataset_id: ID, origin: "fetched", rows: 5 });
    expect(ranges).toEqual([null, `bytes=${Math.ceil(main.length / 2)}-`]);
    expect(told.at(-1)).toEqual({ received: main.length, total: main.length });
    expect((await filesOf(store)).every((path) => path.includes(kept.sha256))).toBe(true);
    expect(await service.fetch(ID, HUB, () => undefined)).toEqual(kept);
    expect(ranges).toHaveLength(2);
  });

  it("is cancelled, and then goes on from what came", async () => {
    const ranges = stubHub(1000, "wait");
    const store = memoryFileStore();
    const service = new DataService(store);
    const fetching = service.fetch(ID, HUB, () => void service.cancel(ID));
    await expect(fetching).rejects.toThrow("cancelled after 1000 bytes; fetch it again to resume");
    expect(await service.list()).toEqual([]);
    const rest = stubHub(main.length, "break");
    expect((await service.fetch(ID, HUB, () => undefined)).name).toBe(ID);
    expect([...ranges, ...rest]).toEqual([null, "bytes=1000-"]);
  });

  it("is fetched once by two tabs that ask at once", async () => {
    const ranges = stubHub(main.length, "break");
    const store = memoryFileStore();
    const tabs = [new DataService(store), new DataService(store)];
    const [a, b] = await Promise.all(tabs.map((service) => service.fetch(ID, HUB, () => undefined)));
    expect(a).toEqual(b);
    expect(ranges).toEqual([null]);
  });

  it("is not written twice where the same was added before", async () => {
    stubHub(main.length, "break");
    const service = new DataService(memoryFileStore());
    const added = await service.add("mine", [file("x.hdf5", main)]);
    const fetched = await service.fetch(ID, HUB, () => undefined);
    expect(fetched).toEqual({ ...added, hub_dataset_id: ID });
    expect(await service.list()).toEqual([fetched]);
  });

  it.each([
    ["other/random-v0", memoryFileStore(), "the server answered 404"],
    ["no id", memoryFileStore(), 'hub_dataset_id: found "no id"'],
    [ID, memoryFileStore({ capacity: 1500 }), "no room for the file"],
  ])("leaves nothing behind of %s", async (id, store, message) => {
    stubHub(main.length, "break");
    await expect(new DataService(store).fetch(id, HUB, () => undefined)).rejects.toThrow(message);
    expect(await filesOf(store)).toEqual([]);
  });
});

describe("an agent that is recorded", () => {
  const environment = findEnvironment("CartPole-v1");
  const { algorithm } = parseManifest({ algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } });
  const state = createAgent({
    spec: algorithm,
    observation_space: environment.observation_space,
    action_space: environment.action_space,
    network: null,
    ranges: null,
    seed: 1,
    index: 0,
  });
  const agent = {
    bytes: new Uint8Array(encodeAgent(state)),
    environment: "CartPole-v1",
    env_config: null,
    module: null,
    generation: 1,
    index: 0,
    fitness: null,
  };
  const request = { agent, name: "cartpole/mine-v0", steps: 30, epsilon: 0.5, seed: 4 };

  it("leaves a data set that is kept and can be learned from", async () => {
    const store = memoryFileStore();
    const service = new DataService(store);
    const kept = await service.record(request);
    expect(kept).toMatchObject({ name: "cartpole/mine-v0", origin: "recorded", rows: 30 });
    const view = await service.view(kept.sha256);
    expect(view.episodes.reduce((sum, { steps }) => sum + steps, 0)).toBe(30);
    expect(view.observation_space).toContain("Box");
  });

  it("has the same bytes whenever it is recorded", async () => {
    const hashes = [];
    for (const at of [1e12, 1.7e12]) {
      const clock = vi.spyOn(Date, "now").mockReturnValue(at);
      hashes.push((await new DataService(memoryFileStore()).record(request)).sha256);
      expect(Date.now()).toBe(at);
      clock.mockRestore();
    }
    expect(hashes[1]).toBe(hashes[0]);
  });

  it("plays in a person's own environment, in a sandbox that ends with it", async () => {
    let ended = 0;
    provideSandboxes(async () => {
      const port = await inProcess();
      const end = (): void => {
        ended += 1;
        port.end();
      };
      return { ...port, end };
    });
    onTestFinished(() => provideSandboxes(null));
    const own = await openUserEnvironment({ name: "user/cart" }, await prepareModule("user/cart", STARTER), {
      validation_steps: 100,
    });
    ended = 0;
    const file = { ...agent, environment: "user/cart", module: openedModule(own) };
    const service = new DataService(memoryFileStore());
    const kept = await service.record({ ...request, agent: file });
    expect(kept).toMatchObject({ environment: "user/cart", origin: "recorded", rows: 30 });
    expect(ended).toBe(1);
    const again = await service.record({ ...request, agent: file });
    expect(again.sha256).toBe(kept.sha256);
    await expect(service.record({ ...request, agent: { ...file, module: null } })).rejects.toThrow(
      'unknown environment "user/cart"',
    );
  });

  it.each([
    ["no steps", { steps: 0 }, "record.steps"],
    ["too large a chance", { epsilon: 2 }, "record.epsilon"],
    ["a negative seed", { seed: -1 }, "record.seed"],
    [
      "an environment of several",
      { agent: { ...agent, environment: "rlkit/simple_spread_v3" } },
      "simple_spread",
    ],
  ])("is refused with %s", async (_name, changes, message) => {
    await expect(new DataService(memoryFileStore()).record({ ...request, ...changes })).rejects.toThrow(
      message,
    );
  });
});
