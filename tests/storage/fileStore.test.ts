import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { estimateFits, memoryFileStore } from "../../src/storage/index.ts";
import { nodeFileStore, nodeStorageError } from "../../src/storage/node/nodeFileStore.ts";
import { STORE_CONTRACT } from "./support/storeContract.ts";
import { withTemporaryDirectory } from "./support/temporaryDirectory.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);

describe("memoryFileStore", () => {
  for (const { name, run } of STORE_CONTRACT) it(name, () => run(memoryFileStore()));

  it("is full beyond its capacity and keeps what it had", async () => {
    const store = memoryFileStore({ capacity: 10 });
    await store.write("a", bytes(6));
    await expect(store.write("b", bytes(5))).rejects.toMatchObject({ code: "full", path: "b" });
    await expect(store.append("a", bytes(5))).rejects.toMatchObject({ code: "full" });
    await expect(store.write("a", bytes(11))).rejects.toMatchObject({ code: "full" });
    expect((await store.read("a")).byteLength).toBe(6);
    expect(await store.exists("b")).toBe(false);
    await store.write("a", bytes(10));
    expect(await store.estimate()).toEqual({ used: 10, quota: 10 });
  });
});

describe("nodeFileStore", () => {
  for (const { name, run } of STORE_CONTRACT) {
    it(name, () => withTemporaryDirectory((dir) => run(nodeFileStore(dir))));
  }

  it("takes the system's own paths without a root", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore();
      await store.write(join(dir, "sub/../x"), bytes(3));
      expect(await readdir(dir)).toEqual(["x"]);
      expect(await store.list(dir)).toEqual([{ name: "x", kind: "file", size: 3 }]);
    });
  });

  it("reads no part of a file that has changed", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await store.write("x", bytes(9));
      const file = await store.blob("x");
      expect((await file.slice(2, 5).arrayBuffer()).byteLength).toBe(3);
      await store.write("x", bytes(8));
      await expect(file.slice(2, 5).arrayBuffer()).rejects.toMatchObject({ code: "changed", path: "x" });
      await store.remove("x");
      await expect(file.arrayBuffer()).rejects.toMatchObject({ code: "not_found" });
      await store.write("dir/x", bytes(1));
      await expect(store.blob("dir")).rejects.toMatchObject({ code: "not_found" });
    });
  });

  it("leaves the old file and no other when a write fails", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await store.write("d/x", bytes(3));
      await expect(store.write("d", bytes(1))).rejects.toMatchObject({ code: "io" });
      expect(await readdir(dir)).toEqual(["d"]);
      expect((await readFile(join(dir, "d/x"))).byteLength).toBe(3);
    });
  });

  it("says how much room the disk has, also before its root exists", async () => {
    await withTemporaryDirectory(async (dir) => {
      const estimate = await nodeFileStore(join(dir, "not/yet")).estimate();
      expect(estimate?.quota).toBeGreaterThan(estimate?.used ?? Number.POSITIVE_INFINITY);
    });
  });

  it.runIf(process.platform === "linux")("refuses a directory that takes no new ones", async () => {
    const error = await nodeFileStore()
      .write("/proc/x/y/manifest.yaml", bytes(1))
      .catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: "io",
      message: "/proc/x: no directory can be created in its parent directory; choose another path",
    });
  });

  it("names a file in the way of a directory", async () => {
    await withTemporaryDirectory(async (dir) => {
      await writeFile(join(dir, "f"), "x");
      await expect(nodeFileStore(dir).write("f/g", bytes(1))).rejects.toThrow(/a part of the path is a file/);
    });
  });

  it.each([
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
    ["ENOENT", "not_found"],
    ["EBUSY", "locked"],
    ["EACCES", "io"],
    ["EIO", "io"],
  ])("turns %s into %s", (system, code) => {
    const error = nodeStorageError(Object.assign(new Error(system), { code: system }), "a/b", 12);
    expect(error).toMatchObject({ code, path: "a/b" });
    expect(error.message).toMatch(/^a\/b: /);
  });
});

describe("estimateFits", () => {
  it("compares the bytes and a tenth more with what is free", async () => {
    const store = memoryFileStore({ capacity: 1100 });
    await store.write("a", bytes(550));
    expect(await estimateFits(store, 500)).toEqual({ fits: true, needed: 550, free: 550 });
    expect(await estimateFits(store, 501)).toEqual({ fits: false, needed: 552, free: 550 });
  });

  it("says yes where the platform says nothing", async () => {
    expect(await estimateFits(memoryFileStore(), 1e15)).toMatchObject({ fits: true, free: null });
  });
});
