import { describe, expect, it } from "vitest";
import { builtInDataset, listDatasets } from "../../../src/llm/environments.ts";

const rowsOf = (id: string) => {
  const split = builtInDataset(id);
  if (split === undefined) throw new Error(`no data set ${id}`);
  // All values of the built-in rows are texts.
  return split as unknown as Record<"train" | "test", Record<string, string>[]>;
};

describe("built-in data sets", () => {
  it("backwards has every word of 4 among 8 letters once, 256 of them held out", () => {
    const { train, test } = rowsOf("rlkit/backwards");
    expect([train.length, test.length]).toEqual([3840, 256]);
    const all = [...train, ...test];
    expect(new Set(all.map(({ prompt }) => prompt)).size).toBe(4096);
    for (const { prompt = "", response = "", answer } of all) {
      expect(prompt).toMatch(/^[a-h]{4}>$/);
      expect(Array.from(response).reverse().join("")).toBe(prompt.slice(0, 4));
      expect(answer).toBe(response);
    }
    expect(rowsOf("rlkit/backwards")).toEqual({ train, test });
  });

  it("polite has 1,024 pairs and 256 held out, short and in printable ASCII", () => {
    const { train, test } = rowsOf("rlkit/polite");
    expect([train.length, test.length]).toEqual([1024, 256]);
    const all = [...train, ...test];
    expect(new Set(all.map(({ prompt }) => prompt)).size).toBe(1280);
    const chosen = new Set<string>();
    const rejected = new Set<string>();
    for (const row of all) {
      for (const side of ["chosen", "rejected"] as const)
        expect(`${row.prompt}${row[side]}`).toMatch(/^[ -~]{20,48}$/);
      chosen.add(row.chosen ?? "");
      rejected.add(row.rejected ?? "");
    }
    expect([...chosen].some((answer) => rejected.has(answer))).toBe(false);
    expect([chosen.size, rejected.size]).toEqual([25, 25]);
    expect(rowsOf("rlkit/polite")).toEqual({ train, test });
  });

  it("are found by id alone", () => {
    expect(listDatasets()).toEqual(["rlkit/backwards", "rlkit/polite"]);
    expect(builtInDataset("rlkit/other")).toBeUndefined();
  });
});
