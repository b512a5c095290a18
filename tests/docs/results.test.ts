/** Every figure of the results, and every figure that another page takes from them, is in a file of bench/results. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { latest, measuredRows, type ResultFile, readResult } from "../../bench/harness/ResultFile.ts";
import { resultSections } from "../../scripts/docs/resultSections.ts";
import { resultsPage, shown } from "../../scripts/docs/resultsPage.ts";
import { resultTable, rowsOnPage, withResultTables } from "../../scripts/docs/resultTable.ts";
import { root } from "../../scripts/lib/environment.mjs";
import { pages } from "./pages.ts";

const results = Object.fromEntries(measuredRows().map((row) => [row, readResult(row)]));
const page = readFileSync(path.join(root, "docs/results.md"), "utf8");

describe("the page of results", () => {
  it("is written from the files (npx tsx scripts/docs/writeResults.ts)", () => {
    expect(page).toBe(resultsPage(results));
  });

  it("shows every row once, unless another page shows it", () => {
    const listed = resultSections.flatMap(({ rows }) => rows);
    expect(listed.filter((row, i) => listed.indexOf(row) !== i)).toEqual([]);
    const elsewhere = pages.flatMap((file) => rowsOnPage(readFileSync(path.join(root, file), "utf8")));
    expect(elsewhere).not.toEqual([]);
    expect(measuredRows().filter((row) => !listed.includes(row) && !elsewhere.includes(row))).toEqual([]);
  });

  it("is short", () => {
    const words = page.split(/\s+/).filter((word) => /[A-Za-z]/.test(word));
    expect(words.length).toBeLessThanOrEqual(1500);
  });

  const row: ResultFile = {
    title: "a row",
    figures: [{ name: "time", unit: "s", target: { at_most: 1 }, digits: 1 }],
    history: [
      { date: "2026-01-01", commit: null, machine: "M", command: "c", values: [{ median: 3 }] },
      {
        date: "2026-01-02",
        commit: "abc",
        machine: "M, load 1",
        command: "c",
        values: [{ median: 2, min: 1, max: 4 }],
      },
      { date: "2026-01-03", commit: "abd", machine: "M", command: "c", values: [null] },
    ],
  };

  it("shows the newest measurement, its bar, and the one before it", () => {
    const text = resultsPage({ "dqn-step": row });
    expect(text).toContain("| `dqn-step` | a row | 2.0 s (1.0–4.0) **missed** | <= 1 | 3.0 |");
    expect(latest(row, 0)?.date).toBe("2026-01-02");
  });
});

describe("tables of results on other pages", () => {
  it("are those of the files (npx tsx scripts/docs/writeResults.ts)", () => {
    const texts = pages.map((file) => readFileSync(path.join(root, file), "utf8"));
    expect(texts.filter((text) => withResultTables(text, results) !== text)).toEqual([]);
  });

  it("put figures into lines and columns by their names, with intervals and asides", () => {
    const figure = (name: string) => ({ name, unit: "", digits: 1 });
    const file: ResultFile = {
      title: "score",
      figures: ["`hpo: true`", "`hpo: true`: area", "random: DQN, Pole", "random: DQN, Pole (area)"].map(
        figure,
      ),
      history: [
        {
          date: "2026-01-01",
          commit: null,
          machine: "M",
          command: "c",
          values: [{ median: 1, min: 0, max: 2 }, { median: 3 }, { median: 4 }, { median: 5 }],
        },
      ],
    };
    expect(resultTable(file).split("\n")).toEqual([
      "| score | delivered | area | DQN, Pole |",
      "| --- | --- | --- | --- |",
      "| `hpo: true` | 1.0 [0.0, 2.0] | 3.0 |  |",
      "| random |  |  | 4.0 (5.0) |",
    ]);
  });

  it("refuse a row that is not there", () => {
    expect(() => withResultTables("<!-- results of nothing -->\n<!-- end of results -->", {})).toThrow(
      "nothing",
    );
  });
});

/** A figure with its row: `[65.0 us](results.md "dqn-step")`. */
const CITED = /\[([^\]]+)\]\([^)\s]*results\.md[^)\s]*\s+"([\w-]+)"\)/g;

describe("figures that pages take from the results", () => {
  const cited = ["README.md", ...pages].flatMap((file) =>
    [...readFileSync(path.join(root, file), "utf8").matchAll(CITED)].map(([, text = "", row = ""]) => ({
      file,
      text,
      row,
    })),
  );

  it("are cited somewhere", () => {
    expect(cited.length).toBeGreaterThan(0);
  });

  it("are the newest of their row", () => {
    const wrong = cited.filter(({ text, row }) => {
      const file = results[row];
      const values = (file?.figures ?? []).map((figure, i) =>
        shown(figure, (file && latest(file, i)?.values[i]?.median) ?? Number.NaN),
      );
      return !values.includes(text.split(" ")[0] ?? "");
    });
    expect(wrong).toEqual([]);
  });
});
