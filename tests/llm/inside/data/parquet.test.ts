import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRowFile, readRows, requireColumns } from "../../../../src/llm/data/rows.ts";

const read = (name: string) =>
  readRowFile(new Blob([new Uint8Array(readFileSync(`tests/llm/fixtures/parquet/${name}`))]), name);
const row = (proto: unknown, more: object) =>
  Object.assign(JSON.parse(`{"__proto__": ${String(proto)}}`), more);

describe("Parquet files", () => {
  it.each(["brotli", "lz4"])("with %s are refused with how to write them again", async (codec) => {
    await expect(read(`one.${codec}.parquet`)).rejects.toThrow(
      new RegExp(
        `^one\\.${codec}\\.parquet: is compressed with ${codec.toUpperCase()}.*, allowed .*to_parquet`,
      ),
    );
  });

  it("keep every column, and of structs the keys with a value", async () => {
    const rows = await read("keys.parquet");
    expect(rows.map((one) => Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))).toEqual([
      [
        ["__proto__", 1],
        ["calls", [{ city: "Köln" }]],
        ["constructor", "a"],
      ],
      [
        ["__proto__", 2],
        ["calls", [{ zone: "CET" }]],
        ["constructor", "b"],
      ],
    ]);
    await expect(read("inner.parquet")).rejects.toThrow('inner.parquet: found the key "__proto__" within');
  });
});

describe("columns with names that every object has", () => {
  it("are the row's own in CSV and JSON", () => {
    const expected = [row('"1"', { constructor: "a" })];
    expect(readRows("__proto__,constructor\n1,a\n", "a.csv")).toEqual(expected);
    expect(readRows('{"__proto__": "1", "constructor": "a"}\n', "a.jsonl")).toEqual(expected);
    expect(Object.keys(readRows("__proto__,constructor\n1,a\n", "a.csv")[0] ?? {})).toHaveLength(2);
    expect(() => requireColumns([{ a: 1 }], ["constructor"], "rows")).toThrow(/has no "constructor"/);
  });
});
