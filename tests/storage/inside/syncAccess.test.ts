import { describe, expect, it } from "vitest";
import { StorageError } from "../../../src/storage/index.ts";
import { type SyncAccess, writeThrough } from "../../../src/storage/opfs/syncAccess.ts";

interface FakeAccess extends SyncAccess {
  readonly content: number[];
  readonly calls: string[];
}

/** A file in memory. `write` returns the values of `answer`, and writes that many bytes if they are valid. */
function fakeAccess(initial: number[], answer: (length: number, call: number) => number): FakeAccess {
  const content = [...initial];
  const calls: string[] = [];
  let writes = 0;
  return {
    content,
    calls,
    write(source, { at }) {
      const count = answer(source.byteLength, writes++);
      const taken = count <= source.byteLength ? source.subarray(0, Math.max(0, count)) : [];
      for (const [index, byte] of taken.entries()) content[at + index] = byte;
      calls.push("write");
      return count;
    },
    truncate(size) {
      content.length = size;
      calls.push("truncate");
    },
    flush() {
      calls.push("flush");
    },
    getSize: () => content.length,
  };
}

const bytes = Uint8Array.of(1, 2, 3, 4, 5);

describe("writeThrough", () => {
  it("writes, ends the file there and flushes last", () => {
    const access = fakeAccess([9, 9, 9, 9, 9, 9, 9], (length) => length);
    writeThrough(access, bytes, 0, "f");
    expect(access.content).toEqual([1, 2, 3, 4, 5]);
    expect(access.calls).toEqual(["write", "truncate", "flush"]);
  });

  it("goes on after short counts, from where they ended", () => {
    const access = fakeAccess([7, 7], () => 2);
    const shorter = fakeAccess([7, 7], (length) => Math.min(2, length));
    expect(() => writeThrough(access, bytes, 2, "f")).toThrow(StorageError);
    writeThrough(shorter, bytes, 2, "f");
    expect(shorter.content).toEqual([7, 7, 1, 2, 3, 4, 5]);
  });

  it.each([
    ["Chrome's count without quota", () => 4294967288],
    ["none", () => 0],
    ["a negative count", () => -8],
    ["some, then none", (_: number, call: number) => (call === 0 ? 3 : 0)],
    ["some, then Chrome's count", (_: number, call: number) => (call === 0 ? 3 : 4294967288)],
  ])("takes %s for a full disk and restores the length", (_, answer) => {
    const access = fakeAccess([7, 7], answer);
    expect(() => writeThrough(access, bytes, 2, "runs/x")).toThrow(
      expect.objectContaining({ code: "full", path: "runs/x" }),
    );
    expect(access.content).toEqual([7, 7]);
    expect(access.calls.at(-1)).toBe("flush");
  });

  it("does not believe a size that differs", () => {
    const access = { ...fakeAccess([], (length) => length), getSize: () => 4 };
    expect(() => writeThrough(access, bytes, 0, "f")).toThrow(/holds 4 bytes after writing, not 5/);
  });
});
