import { isStorageError } from "../../../src/storage/files.ts";
import type { BinaryFile, FileStore, StorageErrorCode } from "../../../src/storage/index.ts";

/**
 * The contract of every file store. Cases are plain functions that throw, so that they run in Node, in a page
 * and in a worker. Each gets an empty store.
 */
export interface ContractCase {
  readonly name: string;
  run(store: FileStore): Promise<void>;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export const STORE_CONTRACT: readonly ContractCase[] = [
  {
    name: "reads back what was written, parents made",
    async run(store) {
      await store.write("a/b/c.bin", text("hello"));
      await expectContent(store, "a/b/c.bin", "hello");
      await expectContent(store, "/a//b/./c.bin", "hello");
    },
  },
  {
    name: "keeps no hold on the caller's bytes, and gives its own",
    async run(store) {
      const bytes = text("abc");
      await store.write("x", bytes);
      bytes[0] = 0;
      (await store.read("x"))[1] = 0;
      await expectContent(store, "x", "abc");
    },
  },
  {
    name: "reads a file in parts",
    async run(store) {
      await rejects(store.blob("a/x"), "not_found");
      await store.write("a/x", text("0123456789"));
      const file = await store.blob("a/x");
      const textOf = async (part: BinaryFile) => new TextDecoder().decode(await part.arrayBuffer());
      equal(file.size, 10);
      equal(await textOf(file), "0123456789");
      equal(await textOf(file.slice(2, 5)), "234");
      equal(await textOf(file.slice(2, 8).slice(1, 99)), "34567");
      equal(await textOf(file.slice(8)), "89");
      equal(file.slice(7, 3).size, 0);
    },
  },
  {
    name: "writes a part of a larger buffer, and an empty file",
    async run(store) {
      await store.write("part", text("0123456789").subarray(3, 6));
      await expectContent(store, "part", "345");
      await store.write("empty", new Uint8Array(0));
      await expectContent(store, "empty", "");
    },
  },
  {
    name: "replaces a longer file by a shorter one",
    async run(store) {
      await store.write("x", text("a long content"));
      await store.write("x", text("short"));
      await expectContent(store, "x", "short");
      equal(await names(store, ""), ["x"]);
    },
  },
  {
    name: "appends, creating the file",
    async run(store) {
      await store.append("log/1.seg", text("one"));
      await store.append("log/1.seg", text("two"));
      await expectContent(store, "log/1.seg", "onetwo");
    },
  },
  {
    name: "appends nothing to a file of another length than was expected",
    async run(store) {
      await store.append("log/1.seg", text("one"), 0);
      await store.append("log/1.seg", text("two"), 3);
      for (const expected of [0, 3, 7]) {
        await rejects(store.append("log/1.seg", text("x"), expected), "changed");
      }
      await expectContent(store, "log/1.seg", "onetwo");
      await store.remove("log");
      await rejects(store.append("log/1.seg", text("x"), 6), "changed");
      await store.append("log/1.seg", text("anew"), 0);
      await expectContent(store, "log/1.seg", "anew");
    },
  },
  {
    name: "renames over another file, into another directory",
    async run(store) {
      await store.write("a/x", text("new"));
      await store.write("b/y", text("old content"));
      await store.rename("a/x", "b/y");
      await expectContent(store, "b/y", "new");
      equal(await store.exists("a/x"), false);
      await store.rename("b/y", "c/d/z");
      await expectContent(store, "c/d/z", "new");
      equal(await names(store, "b"), []);
    },
  },
  {
    name: "lists names with kinds and sizes, sorted",
    async run(store) {
      await store.write("d/b", text("12"));
      await store.write("d/a/deep", text("x"));
      await store.write("d/B", text("123"));
      equal(await store.list("d"), [
        { name: "B", kind: "file", size: 3 },
        { name: "a", kind: "directory", size: 0 },
        { name: "b", kind: "file", size: 2 },
      ]);
      equal(await store.list("absent"), []);
      equal(await store.list("absent/deeper"), []);
    },
  },
  {
    name: "says what exists",
    async run(store) {
      await store.write("d/f", text("x"));
      equal(await store.exists("d"), true);
      equal(await store.exists("d/f"), true);
      equal(await store.exists("d/g"), false);
      equal(await store.exists("e/g"), false);
    },
  },
  {
    name: "removes files and whole directories, absent ones too",
    async run(store) {
      await store.write("d/e/f", text("x"));
      await store.write("d/g", text("x"));
      await store.remove("d/g");
      equal(await names(store, "d"), ["e"]);
      await store.remove("d");
      equal(await store.exists("d"), false);
      await store.remove("d");
      await store.remove("d/e/f");
    },
  },
  {
    name: "reports absent files",
    async run(store) {
      await rejects(store.read("absent"), "not_found");
      await rejects(store.read("no/such/file"), "not_found");
      await rejects(store.rename("absent", "x"), "not_found");
      equal(await store.exists("x"), false);
    },
  },
  {
    name: "refuses paths that leave the store and directories in a file's place",
    async run(store) {
      await rejects(store.write("../x", text("x")), "io");
      await rejects(store.read("a/../../x"), "io");
      await rejects(store.remove("a\\b"), "io");
      await store.write("d/f", text("x"));
      await rejects(store.write("d", text("x")), "io");
      await rejects(store.write("d/f/g", text("x")), "io");
      await expectContent(store, "d/f", "x");
    },
  },
  {
    name: "keeps each of many concurrent writes to one file whole",
    async run(store) {
      const contents = Array.from({ length: 8 }, (_, i) => String(i).repeat(2000 + i));
      await Promise.all(contents.map((content) => store.write("same", text(content))));
      const found = new TextDecoder().decode(await store.read("same"));
      if (!contents.includes(found)) throw new Error(`mixed content of ${found.length} characters`);
      equal(await names(store, ""), ["same"]);
    },
  },
  {
    name: "holds a megabyte",
    async run(store) {
      const bytes = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 31) & 255);
      await store.write("big", bytes);
      const found = await store.read("big");
      equal(found.byteLength, bytes.byteLength);
      if (found.some((value, i) => value !== bytes[i])) throw new Error("bytes differ");
    },
  },
];

async function names(store: FileStore, dir: string): Promise<string[]> {
  return (await store.list(dir)).map(({ name }) => name);
}

async function expectContent(store: FileStore, path: string, content: string): Promise<void> {
  equal(new TextDecoder().decode(await store.read(path)), content);
}

function equal(found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`found ${a}, expected ${b}`);
}

async function rejects(promise: Promise<unknown>, code: StorageErrorCode): Promise<void> {
  const error: unknown = await promise.then(
    () => "nothing thrown",
    (thrown: unknown) => thrown,
  );
  if (!isStorageError(error, code)) throw new Error(`expected StorageError ${code}, found ${String(error)}`);
}
