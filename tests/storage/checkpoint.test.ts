import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PENDING_FILE } from "../../src/storage/checkpoints.ts";
import {
  commitCheckpoint,
  type FileStore,
  listCheckpoints,
  memoryFileStore,
  pruneCheckpoints,
  readCheckpoint,
  recoverCheckpoints,
  StorageError,
  unusedDirectory,
} from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/nodeFileStore.ts";
import { FAULTS, type Fault, faultyFileStore, SimulatedCrash } from "./support/faultyFileStore.ts";
import { withTemporaryDirectory } from "./support/temporaryDirectory.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const filesOf = (label: string): Map<string, Uint8Array> =>
  new Map([
    ["member_0.safetensors", text(`${label} member 0`)],
    ["member_1.safetensors", text(`${label} member 1`)],
    ["replay/segment_0.bin", text(`${label} replay`)],
    ["run.json", text(`{"label":"${label}"}`)],
  ]);
const metaOf = (step: number) => ({
  generation: step / 100,
  global_step: step,
  spec_hash: "h",
  sequence: step,
});

describe("commitCheckpoint and readCheckpoint", () => {
  it("give the files back with what was said of them", async () => {
    const store = memoryFileStore();
    const written = await commitCheckpoint(store, "out/run_100", filesOf("A"), {
      ...metaOf(100),
      fitness: 7.5,
    });
    const { commit, files } = await readCheckpoint(store, "out/run_100");
    expect(files).toEqual(filesOf("A"));
    expect(commit).toEqual(written);
    expect(commit).toMatchObject({ generation: 1, global_step: 100, spec_hash: "h", fitness: 7.5 });
    expect(commit.files[0]).toMatchObject({ path: "member_0.safetensors", size: 10 });
  });

  it("read only what is asked for", async () => {
    const store = memoryFileStore();
    await commitCheckpoint(store, "c", filesOf("A"), metaOf(100));
    await store.write("c/run.json", text('{"label":"B"}'));
    const { files } = await readCheckpoint(store, "c", (path) => path.startsWith("member_"));
    expect([...files.keys()]).toEqual(["member_0.safetensors", "member_1.safetensors"]);
  });

  it("never write over a checkpoint or a stranger's files", async () => {
    const store = memoryFileStore();
    await commitCheckpoint(store, "c", filesOf("A"), metaOf(100));
    await expect(commitCheckpoint(store, "c", filesOf("B"), metaOf(200))).rejects.toThrow(
      /holds a checkpoint/,
    );
    await store.write("notes/todo.txt", text("x"));
    await expect(commitCheckpoint(store, "notes", filesOf("B"), metaOf(2))).rejects.toThrow(/other files/);
    expect((await readCheckpoint(store, "c")).files).toEqual(filesOf("A"));
    expect(await store.exists("notes/todo.txt")).toBe(true);
    expect(await unusedDirectory(store, "c")).toBe("c-2");
    expect(await unusedDirectory(store, "new")).toBe("new");
  });

  it.each(["../x", "/x", "COMMIT.json", "a//b", ""])("refuse the file name %j", async (path) => {
    const files = new Map([[path, text("x")]]);
    await expect(commitCheckpoint(memoryFileStore(), "c", files, metaOf(1))).rejects.toMatchObject({
      code: "io",
    });
  });

  it("refuse numbers that the commit could not hold", async () => {
    const meta = { ...metaOf(1), global_step: Number.NaN };
    await expect(commitCheckpoint(memoryFileStore(), "c", filesOf("A"), meta)).rejects.toThrow(/global_step/);
  });

  it("leave nothing behind when the store is full, and the earlier checkpoint whole", async () => {
    const store = memoryFileStore({ capacity: 2000 });
    await commitCheckpoint(store, "p/a", filesOf("A"), metaOf(100));
    const large = new Map([...filesOf("B"), ["member_2.safetensors", new Uint8Array(2000)]]);
    await expect(commitCheckpoint(store, "p/b", large, metaOf(200))).rejects.toMatchObject({ code: "full" });
    expect((await store.list("p")).map(({ name }) => name)).toEqual(["a"]);
    expect((await readCheckpoint(store, "p/a")).files).toEqual(filesOf("A"));
  });

  const damages: [string, (store: FileStore) => Promise<void>, string, RegExp][] = [
    ["is absent", (store) => store.remove("c"), "not_found", /no checkpoint is there/],
    [
      "was never committed",
      (store) => store.remove("c/COMMIT.json"),
      "corrupt",
      /interrupted before the commit/,
    ],
    ["has a short file", (store) => store.write("c/run.json", text("{}")), "corrupt", /2 bytes, not 13/],
    ["lost a file", (store) => store.remove("c/replay"), "corrupt", /segment_0\.bin is missing/],
    ["has a changed file", (store) => store.write("c/run.json", text('{"label":"B"}')), "corrupt", /SHA-256/],
    [
      "has a commit that is no JSON",
      (store) => store.write("c/COMMIT.json", text("{")),
      "corrupt",
      /not valid JSON/,
    ],
    [
      "has a commit of something else",
      (store) => store.write("c/COMMIT.json", text("{}")),
      "corrupt",
      /is not a/,
    ],
    ["has a torn commit", tearCommit, "corrupt", /not valid JSON/],
    ["has an edited commit", (store) => editCommit(store, "global_step", 5), "corrupt", /its own digest/],
    [
      "has another version",
      (store) => editCommit(store, "version", 2),
      "version",
      /version 2, this rlkit reads/,
    ],
  ];
  it.each(damages)("say so when a checkpoint %s", async (_, damage, code, message) => {
    const store = memoryFileStore();
    await commitCheckpoint(store, "c", filesOf("A"), metaOf(100));
    await damage(store);
    await expect(readCheckpoint(store, "c")).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe("listCheckpoints and pruneCheckpoints", () => {
  it("order by sequence and keep the newest and the named", async () => {
    const store = memoryFileStore();
    for (const [name, step] of [
      ["z", 100],
      ["y", 200],
      ["x", 300],
      ["w", 400],
    ] as const) {
      await commitCheckpoint(store, `p/${name}`, filesOf(name), metaOf(step));
    }
    expect((await listCheckpoints(store, "p")).map(({ name }) => name)).toEqual(["z", "y", "x", "w"]);
    expect(await pruneCheckpoints(store, "p", { keepLast: 2, keep: ["z"] })).toEqual(["y"]);
    expect((await listCheckpoints(store, "p")).map(({ name }) => name)).toEqual(["z", "x", "w"]);
    expect(await pruneCheckpoints(store, "p", { keepLast: 0 })).toEqual(["z", "x"]);
  });

  it("touch only the directories the caller owns", async () => {
    const store = memoryFileStore();
    await commitCheckpoint(store, "p/a_100", filesOf("A"), metaOf(100));
    await commitCheckpoint(store, "p/b_200", filesOf("B"), metaOf(200));
    const owns = (name: string): boolean => name.startsWith("a_");
    expect(await listCheckpoints(store, "p", owns)).toHaveLength(1);
    expect(await pruneCheckpoints(store, "p", { keepLast: 1, owns })).toEqual([]);
  });

  it("count only good checkpoints, so the last good one stays", async () => {
    const store = memoryFileStore();
    await commitCheckpoint(store, "p/a", filesOf("A"), metaOf(100));
    await commitCheckpoint(store, "p/b", filesOf("B"), metaOf(200));
    await store.write("p/b/run.json", text("{}"));
    expect(await pruneCheckpoints(store, "p", { keepLast: 1 })).toEqual([]);
    expect((await listCheckpoints(store, "p")).map(({ name }) => name)).toEqual(["a"]);
  });
});

describe("recoverCheckpoints", () => {
  it("deletes what was begun, reports what is damaged and leaves strangers alone", async () => {
    const store = memoryFileStore();
    await commitCheckpoint(store, "p/good", filesOf("A"), metaOf(100));
    await commitCheckpoint(store, "p/newer", filesOf("B"), metaOf(200));
    await store.write("p/newer/run.json", text("{}"));
    await store.write("p/notes/todo.txt", text("x"));
    await store.write("p/file.txt", text("x"));
    const crashing = faultyFileStore(store, { at: 4, fault: "crash" });
    await expect(commitCheckpoint(crashing, "p/begun", filesOf("C"), metaOf(300))).rejects.toThrow(
      SimulatedCrash,
    );

    const report = await recoverCheckpoints(store, "p");
    expect(report.dropped.map(({ name }) => name)).toEqual(["begun"]);
    expect(report.damaged.map(({ name }) => name)).toEqual(["newer"]);
    expect(report.checkpoints.map(({ name }) => name)).toEqual(["good"]);
    expect((await store.list("p")).map(({ name }) => name)).toEqual(["file.txt", "good", "newer", "notes"]);
  });
});

/**
 * Injects `fault` at each operation of `work` in turn, on a store that `prepare` filled; then calls `check`.
 */
async function atEveryOperation(
  newStore: () => Promise<FileStore>,
  fault: Fault,
  prepare: (store: FileStore) => Promise<void>,
  work: (store: FileStore) => Promise<void>,
  check: (store: FileStore, finished: boolean, at: number) => Promise<void>,
): Promise<number> {
  for (let at = 0; ; at++) {
    const store = await newStore();
    await prepare(store);
    const faulty = faultyFileStore(store, { at, fault });
    let finished = true;
    try {
      await work(faulty);
    } catch (error) {
      finished = false;
      const expected = error instanceof SimulatedCrash || error instanceof StorageError;
      if (!expected) throw error;
    }
    await check(store, finished, at);
    if (faulty.operations <= at) return at;
  }
}

async function expectWhole(store: FileStore, dir: string, labels: readonly string[]): Promise<string> {
  const { files } = await readCheckpoint(store, dir);
  const label = labels.find((candidate) => sameFiles(files, filesOf(candidate)));
  expect(label, `${dir} is one of ${labels.join(", ")}`).toBeDefined();
  return label ?? "";
}

async function nonEmptyDirectories(store: FileStore, dir: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await store.list(dir)) {
    if ((await store.list(`${dir}/${name}`)).length > 0) found.push(name);
  }
  return found;
}

function sameFiles(a: ReadonlyMap<string, Uint8Array>, b: ReadonlyMap<string, Uint8Array>): boolean {
  return a.size === b.size && [...a].every(([path, bytes]) => b.get(path)?.join() === bytes.join());
}

describe.each([
  ["memory", FAULTS],
  // The store that fails is around either: one fault shows that a disk's files are as these.
  ["disk", ["crash_torn"]],
] as const)("a fault at every operation, %s", (kind, faults) => {
  const inStore = (run: (newStore: () => Promise<FileStore>) => Promise<void>): Promise<void> =>
    kind === "memory"
      ? run(async () => memoryFileStore())
      : withTemporaryDirectory((dir) => {
          let count = 0;
          return run(async () => nodeFileStore(`${dir}/${count++}`));
        });

  it.each(faults)("%s during a commit leaves the previous checkpoint or the new one", async (fault) => {
    await inStore(async (newStore) => {
      const operations = await atEveryOperation(
        newStore,
        fault,
        async (store) => {
          await commitCheckpoint(store, "p/1", filesOf("A"), metaOf(100));
        },
        async (store) => {
          await commitCheckpoint(store, "p/2", filesOf("B"), metaOf(200));
        },
        async (store, finished, at) => {
          const { checkpoints } = await recoverCheckpoints(store, "p");
          await expectWhole(store, "p/1", ["A"]);
          const newest = checkpoints.at(-1);
          const label = await expectWhole(store, newest?.dir ?? "none", ["A", "B"]);
          expect(label, `commit reported done, fault at ${at}`).toBe(finished ? "B" : label);
          expect(await nonEmptyDirectories(store, "p")).toEqual(checkpoints.map(({ name }) => name));
          await commitCheckpoint(store, "p/2-again", filesOf("C"), metaOf(300));
          expect((await listCheckpoints(store, "p")).at(-1)?.name).toBe("2-again");
        },
      );
      // A commit has at least these operations: listing, pending commit, four files, three size checks,
      // rename.
      expect(operations).toBeGreaterThanOrEqual(9);
    });
  });

  it.each(faults)("%s while the old one is replaced leaves one of them", async (fault) => {
    await inStore(async (newStore) => {
      await atEveryOperation(
        newStore,
        fault,
        async (store) => {
          await commitCheckpoint(store, "p/1", filesOf("A"), metaOf(100));
        },
        async (store) => {
          await commitCheckpoint(store, "p/2", filesOf("B"), metaOf(200));
          await pruneCheckpoints(store, "p", { keepLast: 1, keep: ["2"] });
        },
        async (store, finished) => {
          const { checkpoints, damaged } = await recoverCheckpoints(store, "p");
          expect(damaged).toEqual([]);
          expect(await nonEmptyDirectories(store, "p")).toEqual(checkpoints.map(({ name }) => name));
          expect(checkpoints.length).toBeGreaterThanOrEqual(1);
          for (const { name, dir } of checkpoints) await expectWhole(store, dir, [name === "1" ? "A" : "B"]);
          const names = checkpoints.map(({ name }) => name);
          expect(names).toEqual(finished ? ["2"] : names);
        },
      );
    });
  });

  it.each(faults)("%s during recovery is mended by the next recovery", async (fault) => {
    await inStore(async (newStore) => {
      await atEveryOperation(
        newStore,
        fault,
        async (store) => {
          await commitCheckpoint(store, "p/1", filesOf("A"), metaOf(100));
          const torn = faultyFileStore(store, { at: 6, fault: "crash_torn" });
          await commitCheckpoint(torn, "p/2", filesOf("B"), metaOf(200)).catch(() => undefined);
        },
        async (store) => {
          await recoverCheckpoints(store, "p");
        },
        async (store) => {
          const { checkpoints } = await recoverCheckpoints(store, "p");
          expect(checkpoints.map(({ name }) => name)).toEqual(["1"]);
          await expectWhole(store, "p/1", ["A"]);
          expect((await store.list("p/2")).length).toBe(0);
        },
      );
    });
  });
});

async function tearCommit(store: FileStore): Promise<void> {
  const bytes = await store.read("c/COMMIT.json");
  await store.write("c/COMMIT.json", bytes.subarray(0, bytes.byteLength >> 1));
}

async function editCommit(store: FileStore, field: string, value: number): Promise<void> {
  const commit = JSON.parse(new TextDecoder().decode(await store.read("c/COMMIT.json")));
  await store.write("c/COMMIT.json", text(JSON.stringify({ ...commit, [field]: value })));
}

describe.runIf(process.platform !== "win32")("a link to a checkpoint", () => {
  const files = new Map([["member_0.safetensors", new Uint8Array([1, 2, 3])]]);
  const meta = { generation: 1, global_step: 1, spec_hash: "" };

  /** Creates a checkpoint outside the run's directory, and a link to it inside. */
  async function linked(work: (store: FileStore) => Promise<void>): Promise<void> {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await commitCheckpoint(store, "archive/kept", files, { ...meta, sequence: 1 });
      await commitCheckpoint(store, "run/c_2", files, { ...meta, sequence: 2 });
      await symlink(join(dir, "archive/kept"), join(dir, "run/c_1"));
      await work(store);
    });
  }

  const whole = async (store: FileStore) => (await readCheckpoint(store, "archive/kept")).files;

  it("is removed and pruned without what it names", async () => {
    await linked(async (store) => {
      expect((await listCheckpoints(store, "run")).map(({ name }) => name)).toEqual(["c_1", "c_2"]);
      expect(await pruneCheckpoints(store, "run", { keepLast: 1 })).toEqual(["c_1"]);
      expect(await store.exists("run/c_1")).toBe(false);
      expect(await whole(store)).toEqual(files);
    });
  });

  it("is cleared and written over without what it names, where that was never committed", async () => {
    await linked(async (store) => {
      await store.rename("archive/kept/COMMIT.json", `archive/kept/${PENDING_FILE}`);
      await commitCheckpoint(store, "run/c_1", files, meta);
      expect((await store.list("archive/kept")).map(({ name }) => name)).toEqual([
        PENDING_FILE,
        "member_0.safetensors",
      ]);
      expect((await readCheckpoint(store, "run/c_1")).files).toEqual(files);
    });
    await linked(async (store) => {
      await store.rename("archive/kept/COMMIT.json", `archive/kept/${PENDING_FILE}`);
      const { dropped } = await recoverCheckpoints(store, "run");
      expect(dropped.map(({ name }) => name)).toEqual(["c_1"]);
      expect(await store.list("archive/kept")).toHaveLength(2);
      expect((await store.list("run")).map(({ name }) => name)).toEqual(["c_2"]);
    });
  });
});
