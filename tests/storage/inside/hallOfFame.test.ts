import { describe, expect, it } from "vitest";
import { ELITE_PATH, EliteDirectory } from "../../../src/storage/EliteDirectory.ts";
import {
  type EliteEntry,
  eliteBytes,
  elitesToDrop,
  elitesToShed,
} from "../../../src/storage/eliteThinning.ts";
import {
  commitCheckpoint,
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  type NewElite,
  RunStore,
  StorageError,
} from "../../../src/storage/index.ts";
import { faultyFileStore, SimulatedCrash } from "../support/faultyFileStore.ts";

const ROOM = { bytes: 1e6, count: 1000 };
const textOf = (generation: number): Uint8Array => new TextEncoder().encode(`policy of ${generation}`);
const eliteOf = (generation: number, policy = textOf(generation)): NewElite => ({
  generation,
  global_step: generation * 10,
  fitness: generation,
  index: 7,
  policy,
});
const rangeOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function newRun(files = memoryFileStore()) {
  const store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
  await store.createRun({ id: "a", name: "A", manifest: {} });
  await store.releaseRun("a");
  return { files, store };
}

const generationsIn = async (store: RunStore) =>
  (await store.fame.list("a")).map(({ generation }) => generation);

describe("a hall of fame", () => {
  it("gives back each policy with what is known of it, in the order of generations", async () => {
    const { store } = await newRun();
    await store.fame.add("a", [eliteOf(1), eliteOf(2)]);
    await store.fame.add("a", [eliteOf(3)]);
    expect(
      (await store.fame.list("a")).map(({ generation, index, fitness }) => [generation, index, fitness]),
    ).toEqual([
      [1, 7, 1],
      [2, 7, 2],
      [3, 7, 3],
    ]);
    expect((await store.fame.read("a", 2)).policy).toEqual(textOf(2));
    await expect(store.fame.read("a", 4)).rejects.toThrow("the elite of this generation is not kept");
    await store.fame.cut("a", 1);
    expect(await generationsIn(store)).toEqual([1]);
    expect((await store.sizesOf("a")).elites).toBe(textOf(1).length);
  });

  it("replaces generations that a resumed run trains again, without duplicates", async () => {
    const { files, store } = await newRun();
    await store.fame.add(
      "a",
      rangeOf(1, 5).map((generation) => eliteOf(generation)),
    );
    await store.fame.add("a", [eliteOf(3), eliteOf(4, new TextEncoder().encode("another"))]);
    expect(await generationsIn(store)).toEqual([1, 2, 3, 4]);
    const names = (await files.list("/v1/runs/a/elites")).map(({ name }) => name);
    // Four policies, and the log.
    expect(names).toHaveLength(5);
  });

  it("stores an elite that stays the same once", async () => {
    const { files, store } = await newRun();
    const same = textOf(0);
    await store.fame.add(
      "a",
      rangeOf(1, 9).map((generation) => eliteOf(generation, same)),
    );
    expect(await generationsIn(store)).toHaveLength(9);
    expect(await files.list("/v1/runs/a/elites")).toHaveLength(2);
    expect((await store.sizesOf("a")).elites).toBe(same.length);
    await store.fame.cut("a", 4);
    expect((await store.fame.read("a", 4)).policy).toEqual(same);
  });

  it("gives the nearest one before a generation, else the first, whatever files are gone", async () => {
    const { files, store } = await newRun();
    expect(await store.fame.at("a", 3)).toBeNull();
    await store.fame.add("a", [eliteOf(4), eliteOf(8), eliteOf(9)]);
    const at = async (generation: number) => (await store.fame.at("a", generation))?.entry.generation;
    expect(await Promise.all([1, 4, 7, 8, 100].map(at))).toEqual([4, 4, 4, 8, 9]);
    const { entries } = await EliteDirectory.read(files, "/v1/runs/a/elites");
    await files.remove(`/v1/runs/a/elites/${entries[1]?.sha256}.safetensors`);
    await files.write(`/v1/runs/a/elites/${entries[2]?.sha256}.safetensors`, textOf(0));
    expect(await Promise.all([8, 9].map(at))).toEqual([4, 4]);
    await files.remove(`/v1/runs/a/elites/${entries[0]?.sha256}.safetensors`);
    expect(await at(9)).toBeUndefined();
  });

  it("reads those of earlier versions, and cuts them too", async () => {
    const { files, store } = await newRun();
    for (const generation of [1, 10])
      await commitCheckpoint(
        files,
        `/v1/runs/a/fame/${String(generation).padStart(6, "0")}-3`,
        new Map([["policy.safetensors", textOf(generation)]]),
        { generation, global_step: 5, fitness: 2, spec_hash: "" },
      );
    expect((await store.fame.list("a")).map(({ index }) => index)).toEqual([3, 3]);
    expect((await store.fame.read("a", 10)).policy).toEqual(textOf(10));
    await store.fame.add("a", [eliteOf(11)]);
    expect(await generationsIn(store)).toEqual([1, 10, 11]);
    expect((await store.fame.at("a", 9))?.policy).toEqual(textOf(1));
    await store.fame.cut("a", 5);
    expect(await generationsIn(store)).toEqual([1]);
  });

  it("is whole after a crash at any operation of an addition", async () => {
    const calm = memoryFileStore();
    const counted = faultyFileStore(calm, { at: -1, fault: "crash" });
    await newRun(calm);
    const add = async (files: typeof calm, generation: number): Promise<void> => {
      const store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
      await store.fame.add("a", [eliteOf(generation)]);
    };
    await add(counted, 1);
    for (const fault of ["crash", "crash_torn", "crash_after"] as const) {
      for (let at = 0; at < counted.operations; at++) {
        const { files } = await newRun();
        await add(files, 1);
        await add(faultyFileStore(files, { at, fault }), 2).catch((error: unknown) => {
          if (!(error instanceof SimulatedCrash)) throw error;
        });
        const next = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
        await next.recover();
        const generations = await generationsIn(next);
        expect([[1], [1, 2]], `${fault} at ${at}`).toContainEqual(generations);
        for (const generation of generations)
          expect((await next.fame.read("a", generation)).policy).toEqual(textOf(generation));
        // An interrupted entry can be added again, and leaves no file behind.
        await next.fame.add("a", [eliteOf(2)]);
        expect(await generationsIn(next)).toEqual([1, 2]);
        expect(await files.list("/v1/runs/a/elites")).toHaveLength(3);
      }
    }
  });
});

/** Entries of these generations, ten bytes each. */
const entriesOf = (generations: readonly number[], pinned: readonly number[] = []): EliteEntry[] =>
  generations.map((generation) => ({
    ...{ generation, global_step: 0, fitness: null, index: 0, bytes: 10 },
    sha256: String(generation),
    pinned: pinned.includes(generation),
  }));

const left = (all: readonly EliteEntry[], dropped: readonly EliteEntry[]) =>
  all.filter((entry) => !dropped.includes(entry)).map(({ generation }) => generation);

describe("the limits of elites", () => {
  it("thin the oldest first, evenly, so that the whole run stays", () => {
    const all = entriesOf(rangeOf(1, 64));
    expect(elitesToDrop(all, { bytes: 640, count: 64 })).toEqual([]);
    const few = left(all, elitesToDrop(all, { bytes: 480, count: 64 }));
    expect(few.length).toBeLessThanOrEqual(48);
    expect([few[0], few.at(-1)]).toEqual([1, 64]);
    // Every second of the older ones, every one of the newer ones.
    expect(few.slice(0, 6)).toEqual([1, 2, 4, 6, 8, 10]);
    expect(few.slice(-4)).toEqual([61, 62, 63, 64]);
    const fewer = left(all, elitesToDrop(all, { bytes: 1e9, count: 12 }));
    expect(fewer.length).toBeLessThanOrEqual(12);
    for (const [i, generation] of fewer.entries())
      expect(generation - (fewer[i - 1] ?? 0)).toBeLessThanOrEqual(16);
  });

  it("keep pinned ones for ever, and none of the others if there is no room", () => {
    const all = entriesOf(rangeOf(1, 64), [5, 7, 33]);
    expect(left(all, elitesToDrop(all, { bytes: 50, count: 64 }))).toEqual(
      expect.arrayContaining([5, 7, 33]),
    );
    expect(left(all, elitesToDrop(all, { bytes: 0, count: 64 }))).toEqual([5, 7, 33]);
    expect(left(all, elitesToShed(all)).slice(0, 4)).toEqual([5, 7, 33, 34]);
  });

  it("count a file once", () => {
    const same = entriesOf(rangeOf(1, 8)).map((entry) => ({ ...entry, sha256: "one" }));
    expect(eliteBytes(same)).toBe(10);
    expect(elitesToDrop(same, { bytes: 10, count: 8 })).toEqual([]);
  });

  it("hold while a run goes on", async () => {
    const files = memoryFileStore();
    const elites = await EliteDirectory.open(files, "elites");
    const limits = { bytes: 3000, count: 64 };
    for (const generation of rangeOf(1, 500)) await elites.keep([eliteOf(generation)], limits);
    expect(elites.entries.length).toBeLessThanOrEqual(64);
    expect(elites.entries.length).toBeGreaterThan(40);
    expect(elites.entries.map(({ generation }) => generation)).toEqual(expect.arrayContaining([1, 499, 500]));
    expect((await EliteDirectory.read(files, "elites")).entries).toEqual(elites.entries);
    expect(await files.list("elites")).toHaveLength(elites.entries.length + 1);
  });

  it("give way when the storage is full: the oldest unpinned go first", async () => {
    const files = memoryFileStore();
    const isPolicy = (path: string) => ELITE_PATH.test(path.slice("elites/".length)) && !path.includes("log");
    let most = 12;
    const cramped = {
      ...files,
      write: async (path: string, bytes: Uint8Array) => {
        if (isPolicy(path) && (await files.list("elites")).length > most)
          throw new StorageError("full", path, "no room");
        await files.write(path, bytes);
      },
      read: (path: string) => files.read(path),
      list: (dir: string) => files.list(dir),
      append: (path: string, bytes: Uint8Array, expected?: number) => files.append(path, bytes, expected),
      remove: (path: string) => files.remove(path),
    } as typeof files;
    const elites = await EliteDirectory.open(cramped, "elites");
    expect(
      await elites.keep(
        rangeOf(1, 12).map((generation) => eliteOf(generation)),
        ROOM,
      ),
    ).toEqual({ shed: false, thinned: false });
    await elites.pin(2, true);
    expect(await elites.keep([eliteOf(13)], ROOM)).toEqual({ shed: true, thinned: false });
    expect(elites.entries.map(({ generation }) => generation)).toEqual([2, 7, 8, 9, 10, 11, 12, 13]);
    most = 0;
    await expect(elites.keep([eliteOf(14)], ROOM)).rejects.toThrow("no room");
    expect(elites.entries.map(({ generation }) => generation)).toEqual([2, 13]);
  });
});

describe("imported elites", () => {
  const packed = async () => {
    const { files, store } = await newRun();
    await store.fame.add("a", [eliteOf(1), eliteOf(2)]);
    return { files, read: () => EliteDirectory.read(files, "/v1/runs/a/elites") };
  };

  it("are refused if a file is missing, has another size or content, or belongs to nobody", async () => {
    const dir = "/v1/runs/a/elites";
    const broken: [string, (files: ReturnType<typeof memoryFileStore>, path: string) => Promise<void>][] = [
      ["is missing", (files, path) => files.remove(path)],
      ["its entry says", (files, path) => files.write(path, textOf(12345))],
      ["was changed since", (files, path) => files.write(path, textOf(7))],
      ["belongs to no elite", (files) => files.write(`${dir}/${"0".repeat(64)}.safetensors`, textOf(3))],
    ];
    for (const [why, harm] of broken) {
      const { files, read } = await packed();
      const elites = await read();
      await elites.verify();
      await harm(files, `${dir}/${elites.entries[0]?.sha256}.safetensors`);
      await expect((await read()).verify()).rejects.toThrow(why);
    }
  });

  it("name no files outside their directory", () => {
    for (const path of ["../a.safetensors", "log/../../x.seg", "policy.safetensors", "log/1.seg", "a/b"])
      expect(ELITE_PATH.test(path)).toBe(false);
  });
});
