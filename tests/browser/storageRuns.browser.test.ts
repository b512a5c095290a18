import { deleteDB, openDB } from "idb";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { describeFiles } from "../../src/storage/checkpoints.ts";
import {
  idbRunIndex,
  type LoadedCheckpoint,
  memoryFileStore,
  memoryRunIndex,
  opfsFileStore,
  type RunIndex,
  type RunRecord,
  RunStore,
  webRunLocks,
} from "../../src/storage/index.ts";
import releasedRecord from "../formats/fixtures/0.1.0/indexRecord.json";
import { withOpfsDirectory } from "./support/opfsDirectory.ts";
import { filesOfGeneration, type SaveReply, type SaveRequest } from "./support/runStore.worker.ts";
import { untilFree } from "./support/untilFree.ts";

const record = (id: string, updated_at = 1): RunRecord => ({
  id,
  name: id,
  state: "stopped",
  reason: null,
  generation: 1,
  global_step: 10,
  best_fitness: null,
  created_at: 0,
  updated_at,
  checkpoint: { name: "000001-aa", generation: 1, global_step: 10 },
});

const databases: string[] = [];
function newDatabase(): string {
  const name = `test-${crypto.randomUUID()}`;
  databases.push(name);
  return name;
}
afterEach(async () => {
  for (const name of databases.splice(0)) await deleteDB(name);
});

describe.each([
  ["idbRunIndex", () => idbRunIndex(newDatabase())],
  ["memoryRunIndex", () => memoryRunIndex()],
] satisfies [string, () => RunIndex][])("%s", (_, newIndex) => {
  it("puts, replaces, lists and removes", async () => {
    const index = newIndex();
    await index.put(record("a"));
    await index.put(record("b"));
    await index.put(record("a", 2));
    expect(await index.get("a")).toEqual(record("a", 2));
    expect(await index.get("c")).toBeNull();
    expect((await index.list()).map(({ id }) => id)).toEqual(["a", "b"]);
    await index.remove("a");
    await index.remove("a");
    expect((await index.list()).map(({ id }) => id)).toEqual(["b"]);
    index.close();
  });
});

describe("idbRunIndex", () => {
  it("keeps its rows for the next one, and opens again after it was closed", async () => {
    const name = newDatabase();
    const first = idbRunIndex(name);
    await first.put(record("a"));
    const second = idbRunIndex(name);
    expect(await second.list()).toEqual([record("a")]);
    first.close();
    await first.put(record("b"));
    expect(await second.list()).toHaveLength(2);
    first.close();
    second.close();
  });

  it("lets go when the database is deleted elsewhere, and starts anew", async () => {
    const name = newDatabase();
    const index = idbRunIndex(name);
    await index.put(record("a"));
    await deleteDB(name);
    expect(await index.list()).toEqual([]);
    index.close();
  });
});

describe("the list of runs of another version", () => {
  it("is read as 0.1.0 left it", async () => {
    const name = newDatabase();
    const old = await openDB(name, 1, {
      upgrade: (db) => {
        db.createObjectStore("runs", { keyPath: "id" });
      },
    });
    await old.put("runs", releasedRecord);
    old.close();
    const index = idbRunIndex(name);
    expect(await index.list()).toEqual([releasedRecord]);
    expect(await index.get(releasedRecord.id)).toEqual(releasedRecord);
    index.close();
  });

  it("is refused by name when a newer one made it, and left as it is", async () => {
    const name = newDatabase();
    const newer = await openDB(name, 9, {
      upgrade: (db) => {
        db.createObjectStore("others");
      },
    });
    newer.close();
    const index = idbRunIndex(name);
    await expect(index.list()).rejects.toMatchObject({
      code: "version",
      message: expect.stringContaining(
        "the list of runs was written by a newer rlkit; this one reads version 1",
      ),
    });
    const again = await openDB(name);
    expect([again.version, [...again.objectStoreNames]]).toEqual([9, ["others"]]);
    again.close();
  });
});

describe("webRunLocks", () => {
  it("are exclusive by id, and free after release", async () => {
    const [one, two] = [webRunLocks(), webRunLocks()];
    const id = crypto.randomUUID();
    const lock = await one.acquire(id);
    expect(lock).not.toBeNull();
    expect(await two.acquire(id)).toBeNull();
    expect(await two.acquire(id, 20)).toBeNull();
    const other = await two.acquire(`${id}-other`);
    expect(other).not.toBeNull();
    const waiting = two.acquire(id, 2 ** 31 - 1);
    await lock?.release();
    const next = await waiting;
    expect(next).not.toBeNull();
    await next?.release();
    await other?.release();
  });
});

describe("webRunLocks on a slow machine", () => {
  it("wait for a lock that nobody holds until it is granted", async () => {
    const request = navigator.locks.request.bind(navigator.locks);
    const query = vi.spyOn(navigator.locks, "query");
    const slow = vi.spyOn(navigator.locks, "request").mockImplementation(async (...args: unknown[]) => {
      const [, options] = args as [string, LockOptions];
      // As one that is granted long after the time that another would be waited for.
      await expect.poll(() => options.signal?.aborted || query.mock.calls.length > 2).toBe(true);
      return request(...(args as Parameters<typeof request>));
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const lock = await webRunLocks().acquire(crypto.randomUUID(), 5);
    expect(slow).toHaveBeenCalledOnce();
    expect(lock).not.toBeNull();
    await lock?.release();
  });
});

describe("RunStore in the browser", () => {
  it("keeps a run over a restart", async () => {
    await withOpfsDirectory(async (root) => {
      const id = `run-${crypto.randomUUID()}`;
      const database = newDatabase();
      const index = idbRunIndex(database);
      const store = new RunStore({ files: opfsFileStore(root), index, locks: webRunLocks() });
      await store.createRun({ id, name: "A", manifest: { x: 1 } });
      await store.appendLog(id, [{ type: "generation" }]);
      await store.saveCheckpoint(id, filesOfGeneration(1), { generation: 1, global_step: 1, spec_hash: "h" });
      const zip = await store.exportRun(id);
      await store.releaseRun(id);
      index.close();

      const nextIndex = idbRunIndex(database);
      const next = new RunStore({ files: opfsFileStore(root), index: nextIndex, locks: webRunLocks() });
      expect((await next.recover()).interrupted.map((run) => run.id)).toEqual([id]);
      await expectFiles(await next.latestCheckpoint(id), 1);
      const imported = await next.importRun(zip);
      await expectFiles(await next.latestCheckpoint(imported.id), 1);
      await next.deleteRun(id);
      expect((await next.listRuns()).map((run) => run.id)).toEqual([imported.id]);
      nextIndex.close();
    });
  });

  // Those that end before an operation: tests/storage/runStore.test.ts.
  it("comes back whole from a worker terminated during each operation of a save", async () => {
    await withOpfsDirectory(async (root) => {
      const database = newDatabase();
      const restored: number[] = [];
      let dropped = 0;
      for (let hangAt = 0; ; hangAt++) {
        const id = `run-${crypto.randomUUID()}`;
        const end = await saveAndTerminate({ directory: root.name, database, id, hangAt });
        await untilFree(id);

        const index = idbRunIndex(database);
        const store = new RunStore({ files: opfsFileStore(root), index, locks: webRunLocks() });
        const report = await store.recover();
        expect(report.interrupted.map((run) => run.id)).toEqual([id]);
        dropped += report.messages.filter((message) => message.includes("was dropped")).length;
        const latest = await store.latestCheckpoint(id);
        expect(latest?.skipped).toEqual([]);
        const generation = latest?.commit.generation ?? 0;
        await expectFiles(latest, generation);
        expect((await store.getRun(id))?.checkpoint?.generation).toBe(generation);
        restored.push(generation);
        await store.acquireRun(id);
        await store.deleteRun(id);
        index.close();
        if (end === "saved") break;
      }
      // The old one until the commit, the new one from there on.
      expect(restored).toEqual([...restored].sort((a, b) => a - b));
      expect(new Set(restored)).toEqual(new Set([1, 2]));
      expect(dropped).toBeGreaterThan(0);
    });
  });

  it("sees a run live in a worker and leaves it alone", async () => {
    await withOpfsDirectory(async (root) => {
      const database = newDatabase();
      const id = `run-${crypto.randomUUID()}`;
      const worker = newWorker();
      await replyOf(worker, { directory: root.name, database, id, hangAt: 3 });
      const index = idbRunIndex(database);
      const store = new RunStore({ files: opfsFileStore(root), index, locks: webRunLocks() });
      expect(await store.recover()).toEqual({ interrupted: [], messages: [] });
      expect((await store.getRun(id))?.state).toBe("running");
      await expect(store.deleteRun(id)).rejects.toMatchObject({ code: "locked" });
      worker.terminate();
      await untilFree(id);
      await store.acquireRun(id);
      await store.deleteRun(id);
      index.close();
    });
  });
});

describe("eviction", () => {
  it("of the index alone loses nothing", async () => {
    const files = memoryFileStore();
    const id = `run-${crypto.randomUUID()}`;
    const store = new RunStore({ files, index: idbRunIndex(newDatabase()), locks: webRunLocks() });
    await store.createRun({ id, name: "A", manifest: {} });
    await store.updateRun(id, { state: "finished", generation: 3 });
    const before = await store.getRun(id);
    await store.releaseRun(id);
    const next = new RunStore({ files, index: idbRunIndex(newDatabase()), locks: webRunLocks() });
    await next.recover();
    expect(await next.getRun(id)).toEqual(before);
  });
});

/** Compares hashes, since comparing a million bytes one by one takes the test library a second. */
async function expectFiles(checkpoint: LoadedCheckpoint | null, generation: number): Promise<void> {
  expect(await describeFiles(checkpoint?.files ?? new Map())).toEqual(
    await describeFiles(filesOfGeneration(generation)),
  );
}

function newWorker(): Worker {
  return new Worker(new URL("./support/runStore.worker.ts", import.meta.url), { type: "module" });
}

function replyOf(worker: Worker, request: SaveRequest): Promise<SaveReply["type"]> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SaveReply>) => {
      if (data.type === "failed") reject(new Error(data.message));
      else resolve(data.type);
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(request);
  });
}

async function saveAndTerminate(request: SaveRequest): Promise<SaveReply["type"]> {
  const worker = newWorker();
  try {
    return await replyOf(worker, request);
  } finally {
    worker.terminate();
  }
}
