import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { CsvTracker, csvLine } from "../../src/tracking/clients.ts";
import type { MetricRow } from "../../src/tracking/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";

const textOf = async (store: ReturnType<typeof memoryFileStore>, path: string) =>
  new TextDecoder().decode(await store.read(path));

describe("a CSV file", () => {
  it("has its header from the start, a row for each generation, and nothing for NaN", async () => {
    const store = memoryFileStore();
    const tracker = new CsvTracker({ store, path: "new/folder/run.csv", columns: ["a", "b"] });
    await tracker.open();
    expect(await textOf(store, "new/folder/run.csv")).toBe("a,b\r\n");
    tracker.row({ b: Number.NaN, a: 0.1 });
    tracker.row({ a: -1e-7, b: Infinity });
    await tracker.close();
    expect(await textOf(store, "new/folder/run.csv")).toBe("a,b\r\n0.1,\r\n-1e-7,Infinity\r\n");
  });

  it("widens for a key that was not known", async () => {
    const store = memoryFileStore();
    const tracker = new CsvTracker({ store, path: "run.csv", columns: ["a"] });
    await tracker.open();
    tracker.row({ a: 1 });
    await tracker.close();
    tracker.row({ a: 2, "c,d": 3, e: 4 });
    tracker.row({ a: 5 });
    await tracker.close();
    expect(await textOf(store, "run.csv")).toBe('a,"c,d",e\r\n1,,\r\n2,3,4\r\n5,,\r\n');
  });

  describe("of a run that goes on", () => {
    const STEP = "train/global_step";
    const resumed = async (text: string, columns: readonly string[], rows: readonly MetricRow[]) => {
      const store = memoryFileStore();
      await store.write("run.csv", new TextEncoder().encode(text));
      const tracker = new CsvTracker({ store, path: "run.csv", columns, from: 20 });
      await tracker.open();
      for (const row of rows) tracker.row(row);
      await tracker.close();
      return textOf(store, "run.csv");
    };

    it("keeps its rows up to there, and none that is trained again or was not written to its end", async () => {
      const text = `${STEP},a\r\n10,1\r\n20,2\r\n30,3\r\n20,`;
      expect(await resumed(text, [STEP, "a"], [{ [STEP]: 30, a: 4 }])).toBe(
        `${STEP},a\r\n10,1\r\n20,2\r\n30,4\r\n`,
      );
      expect(await resumed("", [STEP, "a"], [])).toBe(`${STEP},a\r\n`);
    });

    it("has the columns of both", async () => {
      const text = `a,${STEP},"old, ""x"""\n1,10,note\n`;
      expect(await resumed(text, [STEP, "a", "new"], [{ [STEP]: 30, a: 4, new: 5, "more,": 6 }])).toBe(
        `a,${STEP},"old, ""x""",new,"more,"\r\n1,10,note,,\r\n4,30,,5,6\r\n`,
      );
    });

    it("is refused where the file is of something else", async () => {
      await expect(resumed("date;sum\n1;2\n", [STEP], [])).rejects.toThrow(
        "csv_log_dir: found run.csv without the column train/global_step",
      );
    });
  });

  it("is refused where a directory is", async () => {
    const store = memoryFileStore();
    await store.write("logs/other.txt", new Uint8Array(1));
    const tracker = new CsvTracker({ store, path: "logs", columns: ["a"] });
    await expect(tracker.open()).rejects.toThrow(
      "csv_log_dir: found the directory logs, allowed the path of a file, such as logs/metrics.csv",
    );
  });

  it("quotes as RFC 4180 says", () => {
    expect(csvLine(['say "x"', "a\nb", "plain"])).toBe('"say ""x""","a\nb",plain\r\n');
  });
});

describe("a CSV file on the disk", () => {
  it("takes the place of one that is there, and is refused where a directory is, empty or not", () =>
    withTemporaryDirectory(async (folder) => {
      const file = path.join(folder, "run.csv");
      const open = (place: string) => {
        const tracker = new CsvTracker({ store: nodeFileStore(), path: place, columns: ["a"] });
        return tracker.open().then(() => tracker);
      };
      for (const value of [1, 2]) {
        const tracker = await open(file);
        tracker.row({ a: value });
        await tracker.close();
      }
      expect(await readFile(file, "utf8")).toBe("a\r\n2\r\n");
      const empty = path.join(folder, "empty");
      await mkdir(empty);
      for (const place of [folder, `${folder}/`, empty, "."])
        await expect(open(place)).rejects.toThrow(/^csv_log_dir: found the directory/);
    }));
});
