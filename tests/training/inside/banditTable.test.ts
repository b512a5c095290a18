/** Tables of bandits, from CSV files as spreadsheets and other programs write them. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { csvLine, csvNumber } from "../../../src/tracking/clients.ts";
import { readTable } from "../../../src/training/options/banditTable.ts";
import { parseTable } from "../../../src/training/plan.ts";

const tableOf = (features: string, targets: string) =>
  parseTable({
    features: { name: "features.csv", text: features },
    targets: { name: "targets.csv", text: targets },
  });

const NUMBERS = [
  [1, 2],
  [3, 4],
  [5, 6],
];

it("comes back as it was written", () => {
  // CSV has no zero with a sign.
  const number = fc.float({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  const width = fc.integer({ min: 1, max: 4 });
  const rows = width.chain((n) =>
    fc.array(fc.array(number, { minLength: n, maxLength: n }), { minLength: 2, maxLength: 9 }),
  );
  // A class of blanks, or of blanks at its ends, loses them; a word differs from every number.
  const word = fc
    .string({ unit: fc.constantFrom("a", "b", ",", '"', "\n", "é", ";", " ") })
    .map((text) => `k${text}k`);
  fc.assert(
    fc.property(
      rows,
      fc.infiniteStream(word),
      fc.boolean(),
      fc.boolean(),
      (features, words, header, mark) => {
        const targets = features.map((_, i) => (i === 0 ? "first" : (words.next().value as string)));
        const above = header ? csvLine((features[0] ?? []).map((_, i) => `column ${i}, "x"`)) : "";
        const text = (lines: readonly (readonly string[])[]) =>
          `${mark ? "\uFEFF" : ""}${above}${lines.map(csvLine).join("")}`;
        const table = tableOf(
          text(features.map((row) => row.map(csvNumber))),
          `${header ? csvLine(["class"]) : ""}${targets.map((target) => csvLine([target])).join("")}`,
        );
        expect(table.features).toEqual(features);
        expect(table.targets).toEqual(targets);
      },
    ),
  );
});

it.each<[string, string]>([
  ["CRLF and an empty line at the end", "1,2\r\n3,4\r\n5,6\r\n\r\n"],
  ["CR alone", "1,2\r3,4\r5,6"],
  ["a byte order mark", "\uFEFF1,2\n3,4\n5,6\n"],
  ["blank lines and blanks around numbers", "1, 2\n\n  \n 3 ,4\n5,6"],
  ["quoted numbers", '"1","2"\n"3", "4" \n5,6'],
  ["a header of words", "a,b\n1,2\n3,4\n5,6"],
  ["a header with a comma in quotes", '"length, cm",b\n1,2\n3,4\n5,6'],
  ["a header with a number", "length,2020\n1,2\n3,4\n5,6"],
  ["other notations of decimal numbers", "1.0,+2\n3.,4e0\n.5e1,6.00"],
])("reads features with %s", (_name, features) => {
  expect(tableOf(features, "0\n1\n0")).toEqual({ features: NUMBERS, targets: [0, 1, 0] });
});

it.each<[string, string, readonly (number | string)[]]>([
  ["integers", "0\n1\n0", [0, 1, 0]],
  ["integers below a word", "class\n0\n1\n0", [0, 1, 0]],
  ["text below a word", "class\na\nb\na\n", ["a", "b", "a"]],
  ["text with commas and quotes", '"a, ""b"""\nc\nc', ['a, "b"', "c", "c"]],
  ["text beside numbers", "0x10\n16\n16", ["0x10", "16", "16"]],
  [
    "integers that doubles do not hold",
    "9007199254740993\n9007199254740992\n1",
    ["9007199254740993", "9007199254740992", "1"],
  ],
])("reads classes: %s", (_name, targets, expected) => {
  expect(tableOf("1,2\n3,4\n5,6", targets).targets).toEqual(expected);
});

it.each<[string, string, readonly (number | string)[]]>([
  ["integers below a number", "0\n0\n1\n0", [0, 1, 0]],
  ["integers without a header", "2\n1\n0", [2, 1, 0]],
  ["text below a word that is a class too", "a\na\nb\na", ["a", "b", "a"]],
  ["text that repeats, without a header", "a\nb\na", ["a", "b", "a"]],
])("reads classes beside features with a header: %s", (_name, targets, expected) => {
  expect(tableOf("width,height\n1,2\n3,4\n5,6", targets).targets).toEqual(expected);
});

it.each<[string, string, string, string]>([
  [
    "a header and a row too few",
    "width,height\n1,2\n3,4\n5,6\n7,8",
    "kind\na\nb\na",
    'environment.targets: targets.csv, line 1: found "kind", which is a header or a class: the features have a header and 4 rows, and this file has 4 lines',
  ],
  [
    "a class of its own below a header",
    "length,2020\n1,2\n3,4\n5,6",
    "a\nb\nc",
    'line 1: found "a", which is a header or a class',
  ],
  [
    "a number too many, without a header of features",
    "1,2\n3,4\n5,6",
    "0\n0\n1\n0",
    "targets: found 4, allowed 3",
  ],
  [
    "a class too many, without a header of features",
    "1,2\n3,4\n5,6",
    "a\na\nb\na",
    "targets: found 4, allowed 3",
  ],
  ["a row too few below two headers", "w,h\n1,2\n3,4\n5,6", "kind\n0\n1", "targets: found 2, allowed 3"],
  [
    "decimal commas between semicolons",
    "1,5;2,5\n3,5;4,5",
    "0\n1",
    'features.csv, line 1: found "5;2", allowed numbers separated by commas; this file separates them by semicolons',
  ],
  [
    "semicolons below a header",
    "a;b\n1;2\n3;4",
    "0\n1",
    'line 1: found "a;b", allowed numbers separated by commas; this file separates them by semicolons',
  ],
  [
    "decimal commas in quotes",
    '"1,5","2,5"\n"3,5","4,5"',
    "0\n1",
    'line 1: found "1,5", allowed numbers with decimal points; this one has a decimal comma',
  ],
  ["tabs", "1\t2\n3\t4", "0\n1", "this file separates them by tabs"],
  ["hexadecimal numbers", "0x10,1\n2,3", "0\n1", 'features.csv, line 1: found "0x10", allowed numbers'],
  ["infinity", "1,2\nInfinity,3", "0\n1", 'features.csv, line 2: found "Infinity", allowed numbers'],
  ["a number beyond doubles", "1,2\n1e999,3", "0\n1", 'features.csv, line 2: found "1e999"'],
  ["nothing between commas", "1,2\n,3", "0\n1", 'features.csv, line 2: found ""'],
  ["a missing number in the first row", "1,nan\n3,4\n5,6", "a\nb\na", 'features.csv, line 1: found "nan"'],
  ["a mistake in the first row", "1,x\n3,4\n5,6", "0\n1\n0", "targets: found 3, allowed 2"],
  [
    "a quote that is not closed",
    '1,2\n"3,4',
    "0\n1",
    "environment.features: features.csv: line 2, column 1: the quote is not closed",
  ],
  [
    "several columns of classes",
    "1,2\n3,4",
    "0,1\n1,1",
    "environment.targets: targets.csv, line 1: found 2 columns, allowed 1",
  ],
  ["a word above as many classes", "1,2\n3,4\n5,6", "class\n0\n1", "targets: found 2, allowed 3"],
])("refuses %s", (_name, features, targets, message) => {
  expect(() => tableOf(features, targets)).toThrow(message);
});

it.each(["utf-16le", "utf-16be"])("names %s, with its mark and without", async (encoding) => {
  const store = memoryFileStore();
  const bytes = (text: string) => {
    const units = Buffer.from(text, "utf16le");
    return new Uint8Array(encoding === "utf-16le" ? units : units.swap16());
  };
  await store.write("targets.csv", new TextEncoder().encode("0\n1\n"));
  for (const mark of ["\uFEFF", ""]) {
    await store.write("features.csv", bytes(`${mark}1,2\n3,4\n`));
    await expect(
      readTable(
        { env_type: "bandit", name: "T", features: "features.csv", targets: "targets.csv" } as never,
        store,
      ),
    ).rejects.toThrow(
      "environment.features: features.csv: found UTF-16, allowed UTF-8; save the file as UTF-8",
    );
  }
});
