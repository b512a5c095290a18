import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";
import { isStorageError } from "../../../src/storage/files.ts";
import * as formats from "../../../src/storage/formats.ts";
import { oldestVersion } from "../../../src/storage/formats.ts";
import { migrate, type StoredFormat } from "../../../src/storage/index.ts";

const format: StoredFormat<readonly string[]> = {
  name: "list format",
  version: 4,
  steps: {
    2: (list) => [...list, "2 to 3"],
    3: (list, file) => [...list, `3 to 4 of ${file}`],
  },
};

describe("migrate", () => {
  it("takes every step from a version to today's, in order", () => {
    expect(migrate(format, 2, ["old"], "a.json")).toEqual(["old", "2 to 3", "3 to 4 of a.json"]);
    expect(migrate(format, 3, ["old"], "a.json")).toEqual(["old", "3 to 4 of a.json"]);
    const today = ["new"];
    expect(migrate(format, 4, today, "a.json")).toBe(today);
  });

  it.each([
    [1, "a.json: has list format version 1, this rlkit reads versions 2 to 4; use the rlkit that wrote it"],
    [
      5,
      "a.json: has list format version 5, this rlkit reads versions 2 to 4; use the rlkit that wrote it, or a newer one",
    ],
    [
      2.5,
      "a.json: has list format version 2.5, this rlkit reads versions 2 to 4; use the rlkit that wrote it",
    ],
    [
      Number.NaN,
      "a.json: has list format version NaN, this rlkit reads versions 2 to 4; use the rlkit that wrote it",
    ],
  ])("refuses version %d by name", (version, message) => {
    let thrown: unknown;
    try {
      migrate(format, version, [], "a.json");
    } catch (error) {
      thrown = error;
    }
    expect(isStorageError(thrown, "version")).toBe(true);
    expect((thrown as Error).message).toBe(message);
  });
});

describe("the formats", () => {
  const every = Object.entries(formats).filter(([name]) => name.endsWith("_FORMAT")) as [
    string,
    StoredFormat<unknown>,
  ][];

  it.each(every)("%s has a step from each older version that it reads", (_, each) => {
    const older = Object.keys(each.steps).map(Number);
    const oldest = oldestVersion(each);
    expect(older).toEqual(Array.from({ length: each.version - oldest }, (_version, index) => oldest + index));
  });

  it("stand in docs/compatibility.md with their versions", () => {
    const text = readFileSync(path.join(root, "docs/compatibility.md"), "utf8");
    const rows = every.map(([, { name, version }]) => `| ${name} | ${version} |`);
    expect(rows.filter((row) => !text.includes(row))).toEqual([]);
  });
});
