import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitRows } from "../../../../src/llm/data/builtin.ts";
import { compilePrompt } from "../../../../src/llm/data/promptTemplate.ts";
import { jsonFaultAt, readRows, renameColumns, requireRows } from "../../../../src/llm/data/rows.ts";
import { parseCsv } from "../../../../src/storage/files.ts";
import { csvLine } from "../../../../src/tracking/clients.ts";

describe("rows of a data set", () => {
  it("are read from JSON, JSONL and CSV", () => {
    const rows = [
      { a: "1", b: 'x, "y"\nz' },
      { a: "", b: "é" },
    ];
    expect(readRows(JSON.stringify(rows), "data.json")).toEqual(rows);
    expect(readRows(`${rows.map((row) => JSON.stringify(row)).join("\r\n")}\n\n`, "DATA.JSONL")).toEqual(
      rows,
    );
    expect(readRows('\uFEFFa,b\r\n1,"x, ""y""\nz"\r\n,é\r\n', "data.csv")).toEqual(rows);
    expect(readRows("", "data.csv")).toEqual([]);
  });

  it("come back from CSV as they were written", () => {
    const field = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', "\r", "\n", " ", "é") });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 3 }), { minLength: 1 }), (records) => {
        const text = records.map((fields) => csvLine(fields)).join("");
        expect(parseCsv(text, "data.csv").map(({ fields }) => fields)).toEqual(records);
      }),
    );
  });

  it("know where a text stops being JSON, and that it does not", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom("", "x", ",", '"', "}", "0"), (text, where, other) => {
        const cut = where % (text.length + 1);
        const broken = text.slice(0, cut) + other + text.slice(cut + 1);
        const isJson = (candidate: string) => {
          try {
            JSON.parse(candidate);
            return true;
          } catch {
            return false;
          }
        };
        const at = jsonFaultAt(broken);
        expect([at >= 0 && at <= broken.length, isJson(broken) && at !== broken.length]).toEqual([
          true,
          false,
        ]);
        expect(jsonFaultAt(text)).toBe(text.length);
        expect(jsonFaultAt(`${text}]`)).toBe(text.length);
      }),
    );
    const faults: [string, number][] = [
      ["[1,]", 3],
      ['{"a" 1}', 5],
      ["{a:1}", 1],
      ['["\n"]', 1],
      ["[01]", 1],
      ["tru", 0],
      ["[1 2]", 3],
    ];
    for (const [text, offset] of faults) expect([text, jsonFaultAt(text)]).toEqual([text, offset]);
  });

  it("name file, line and column of a fault", () => {
    const faults: [string, string, string][] = [
      ["[\n {}, x]", "data.json", "data.json: line 2, column 6: not JSON"],
      ["[{}", "data.json", "data.json: line 1, column 4: not JSON"],
      ['[{"a": 1,}]', "data.json", "data.json: line 1, column 10: not JSON"],
      ["[1]", "data.json", "data.json: row 1: found 1, allowed an object of values by column"],
      ["{}", "data.json", "data.json: found a mapping, allowed a list of rows"],
      ['{}\n{"a": y}', "data.jsonl", "data.jsonl: line 2, column 7: not JSON"],
      ["{}\n3", "data.jsonl", "data.jsonl: line 2: found 3, allowed an object"],
      ['a,b\n"x\ny",2\n1', "data.csv", "data.csv: line 4: found 1 fields, allowed 2"],
      [
        "a,b\n1\n",
        "data.csv",
        "data.csv: line 2: found 1 fields, allowed 2, the number of columns in the header",
      ],
      ['a,b\n1,"x\n', "data.csv", "data.csv: line 2, column 3: the quote is not closed"],
      ['a\n"x"y', "data.csv", "data.csv: line 2, column 4: text after a closing quote"],
      ['a\nxy"z"', "data.csv", "data.csv: line 2, column 3: a quote in an unquoted field"],
      ["a\0,\0b\0", "data.csv", "data.csv: found UTF-16, allowed UTF-8"],
      ["\uFFFD\uFFFD[\0]\0", "data.json", "data.json: found UTF-16, allowed UTF-8"],
      ["a,a\n", "data.csv", 'data.csv: line 1: the column "a" occurs twice'],
      ["", "data.parquet", "data.parquet: is not text; its bytes are needed to read it"],
      ["", "data.txt", 'data.txt: found the ending "txt", allowed json, jsonl, ndjson, csv'],
    ];
    for (const [text, file, message] of faults) expect(() => readRows(text, file)).toThrow(message);
    expect(() => requireRows({}, "train")).toThrow("train: found a mapping, allowed a list of rows");
  });

  it("have columns by their meaning", () => {
    const rows = [{ question: "1+1", n: 2 }];
    expect(renameColumns(rows, { prompt: "question", n: "n" }, "data")).toEqual([
      { question: "1+1", n: 2, prompt: "1+1" },
    ]);
    expect(renameColumns(rows, {}, "data")).toBe(rows);
    expect(() => renameColumns(rows, { prompt: "q" }, "data.csv")).toThrow(
      'data.csv: row 1 has no "q"; found: question, n; name columns by their meaning',
    );
  });

  it("are split by a seed, every row once", () => {
    const rows = Array.from({ length: 10 }, (_, id) => ({ id }));
    const { train, test } = splitRows(rows, 0.75);
    expect([train.length, test.length]).toEqual([8, 2]);
    expect([...train, ...test].map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      rows.map(({ id }) => id),
    );
    expect(splitRows(rows, 0.75)).toEqual({ train, test });
    expect(splitRows(rows, 0.75, 1)).not.toEqual({ train, test });
    expect(splitRows(rows.slice(0, 2), 0.99).test.length).toBe(1);
    expect([splitRows(rows, 1).test.length, splitRows(rows, 0).train.length]).toEqual([0, 0]);
  });
});

describe("a prompt template", () => {
  const rows = [{ question: "1+1?", style: "brief" }];

  it("makes messages in the order of their positions", () => {
    const prompt = compilePrompt(
      { user_10: "{question} {{as JSON}}", system_2: "Be {style}.", assistant_3: '{"a": 1}' },
      rows,
    );
    expect(prompt({ question: "2+2?", style: 3 })).toEqual([
      { role: "system", content: "Be 3." },
      { role: "assistant", content: '{"a": 1}' },
      { role: "user", content: "2+2? {as JSON}" },
    ]);
  });

  it("names keys and columns that are none", () => {
    expect(() => compilePrompt({ tool_1: "a" }, rows)).toThrow(
      'prompt_template: found the key "tool_1", allowed role_position',
    );
    expect(() => compilePrompt({ user_1: "{answer}" }, rows)).toThrow(
      'prompt_template.user_1: no column "answer"; found: question, style',
    );
    expect(() => compilePrompt({ user_1: "a", system_1: "b" }, rows)).toThrow(
      "two messages have the position 1",
    );
    expect(() => compilePrompt({}, rows)).toThrow("found no message");
  });
});
