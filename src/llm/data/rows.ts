/** Rows of a data set. */
import type { OptionRule } from "../../specs/checks.ts";
import { isMapping, show } from "../../specs/messages.ts";
import { parseCsv, plainText } from "../../storage/files.ts";
import type { BinaryFile } from "../../storage/index.ts";

const TEXTS = ["json", "jsonl", "ndjson", "csv"] as const;

/** Formats of row files, by file extension. */
export const ROW_FORMATS = [...TEXTS, "parquet"] as const;

type RowFormat = (typeof ROW_FORMATS)[number];

/** The format of a file. @throws Error for an unsupported format, with an alternative. */
export function rowFormatOf(file: string): RowFormat {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  if (ending === "arrow")
    throw new Error(`${file}: arrow files are not supported; write the rows as Parquet, JSON, JSONL or CSV`);
  const format = ROW_FORMATS.find((known) => known === ending);
  if (format === undefined)
    throw new Error(`${file}: found the ending "${ending}", allowed ${ROW_FORMATS.join(", ")}`);
  return format;
}

/** Finds the position of a JSON syntax error, which not all engines report. */

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** End of a match of `pattern` at `at`, or -1. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Kinds of token that may come next. */
type Next = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Offset of the first invalid character; the length of the text if it ends too early. */
export function jsonFaultAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let next: Next = "value";
  let at = endOf(SPACE, text, 0);
  for (;;) {
    const character = text[at];
    const inside = open.at(-1);
    let end = at + 1;
    if (next === "comma or end" && inside === undefined) return at;
    if (next === "colon" && character === ":") next = "value";
    else if (next === "comma or end" && character === ",") next = inside === "{" ? "key" : "value";
    else if (next.endsWith("or end") && character === (inside === "{" ? "}" : "]")) {
      open.pop();
      next = "comma or end";
    } else if (next.startsWith("key")) {
      end = endOf(STRING, text, at);
      next = "colon";
    } else if (next.startsWith("value") && (character === "{" || character === "[")) {
      open.push(character);
      next = character === "{" ? "key or end" : "value or end";
    } else if (next.startsWith("value")) {
      end = endOf(character === '"' ? STRING : SCALAR, text, at);
      next = "comma or end";
    } else return at;
    if (end === -1) return at;
    at = endOf(SPACE, text, end);
  }
}

/** Values by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Components of a reward. `reward` is the total; without it, the total is the sum of the components. */
export type RewardComponents = Readonly<Record<string, number>>;

/** Factors of a reward's components, by name. */
export type RewardWeights = Readonly<Record<string, number>>;

/** What options allow as weights. */
export const WEIGHTS: OptionRule = {
  allowed: "an object of finite numbers",
  allows: (value) => isMapping(value) && Object.values(value).every(Number.isFinite),
};

/**
 * Computes the reward of a completion.
 *
 * @param answer The row's answer as text, "" if the row has none.
 *
 * @example
 * ```ts
 * const rubric: Rubric = (completion, answer) => ({
 *   correct: completion.trim() === answer ? 1 : 0,
 *   short: completion.length <= 20 ? 0.1 : 0,
 * });
 * ```
 */
export type Rubric = (
  completion: string,
  answer: string,
  row: Row,
) => number | RewardComponents | Promise<number | RewardComponents>;

/** @throws Error naming the place and a row that is not an object. */
export function requireRows(value: unknown, place: string): Row[] {
  if (!Array.isArray(value)) throw new Error(`${place}: found ${show(value)}, allowed a list of rows`);
  return value.map((row: unknown, i) => {
    if (isMapping(row)) return row;
    throw new Error(`${place}: row ${i + 1}: found ${show(row)}, allowed an object of values by column`);
  });
}

/** Line and column of an offset in a text, both from 1. */
function positionIn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `line ${before.split("\n").length}, column ${offset - before.lastIndexOf("\n")}`;
}

function readJson(text: string, file: string): Row[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: ${positionIn(text, jsonFaultAt(text))}: not JSON`, { cause: error });
  }
  return requireRows(value, file);
}

function readJsonLines(text: string, file: string): Row[] {
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const place = `${file}: line ${i + 1}`;
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch (error) {
      throw new Error(`${place}, column ${jsonFaultAt(line) + 1}: not JSON`, { cause: error });
    }
    if (!isMapping(row))
      throw new Error(`${place}: found ${show(row)}, allowed an object of values by column`);
    return [row];
  });
}

function readCsv(text: string, file: string): Row[] {
  const [header, ...records] = parseCsv(text, file);
  if (header === undefined) return [];
  const twice = header.fields.find((name, i) => header.fields.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${file}: line 1: the column "${twice}" occurs twice`);
  return records.map(({ line, fields }) => {
    if (fields.length !== header.fields.length)
      throw new Error(
        `${file}: line ${line}: found ${fields.length} fields, allowed ${header.fields.length}, the number of columns in the header`,
      );
    return Object.fromEntries(header.fields.map((name, i) => [name, fields[i] ?? ""]));
  });
}

const READERS: Readonly<Record<(typeof TEXTS)[number], (text: string, file: string) => Row[]>> = {
  json: readJson,
  jsonl: readJsonLines,
  ndjson: readJsonLines,
  csv: readCsv,
};

/**
 * Parses the text of a JSON file (a list of objects), a JSONL file (one object per line)
 * or a CSV file (with a header).
 *
 * @param file File name, whose extension determines the format.
 * @throws Error naming file, line and column of a syntax error, or the file if it is UTF-16 or no text.
 */
export function readRows(text: string, file: string): Row[] {
  const format = rowFormatOf(file);
  if (format === "parquet") throw new Error(`${file}: is not text; its bytes are needed to read it`);
  return READERS[format](plainText(text, file), file);
}

/** As {@link readRows}, for a file of any format. @throws Error as it, and as `readParquet`. */
export async function readRowFile(content: BinaryFile, file: string): Promise<Row[]> {
  if (rowFormatOf(file) !== "parquet")
    return readRows(new TextDecoder().decode(await content.arrayBuffer()), file);
  return (await import("./parquet.ts")).readParquet(content, file);
}

/** Columns of the rows, taken from the first row. */
export const columnsOf = (rows: readonly Row[]): string[] => Object.keys(rows[0] ?? {});

/** @throws Error naming missing columns, and those found. */
export function requireColumns(rows: readonly Row[], columns: readonly string[], place: string): void {
  for (const [i, row] of rows.entries()) {
    const missing = columns.filter((column) => !Object.hasOwn(row, column) || (row[column] ?? null) === null);
    if (missing.length === 0) continue;
    throw new Error(
      `${place}: row ${i + 1} has no ${missing.map((name) => `"${name}"`).join(", ")}; found: ${Object.keys(row).join(", ") || "nothing"}; name columns by their meaning in "columns"`,
    );
  }
}

/**
 * Copies columns to the names of their meanings.
 *
 * @param columns Column names by meaning, such as `{ prompt: "question" }`.
 * @throws Error naming a missing column, and those found.
 * @internal
 */
export function renameColumns(
  rows: readonly Row[],
  columns: Readonly<Record<string, string>>,
  place: string,
): readonly Row[] {
  const renamed = Object.entries(columns).filter(([meaning, column]) => meaning !== column);
  if (renamed.length === 0) return rows;
  requireColumns(
    rows,
    renamed.map(([, column]) => column),
    place,
  );
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(renamed.map(([meaning, column]) => [meaning, row[column]])),
  }));
}

/** A cell value as text. */
export const cellText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

/**
 * Warns of held-out rows that are training rows too, which evaluations would find too good.
 * @param keysOf Keys of a row, coarse to fine; the next one is read only for rows that share the one before.
 * @internal
 */
export function warnOfOverlap<T>(
  { train, test }: { readonly train: readonly T[]; readonly test: readonly T[] },
  keysOf: readonly ((row: T) => string)[],
  place: string,
): void {
  let [both, held] = [train, test];
  for (const keyOf of keysOf) {
    const keys = new Set(held.map(keyOf));
    both = both.filter((row) => keys.has(keyOf(row)));
    const shared = new Set(both.map(keyOf));
    held = held.filter((row) => shared.has(keyOf(row)));
  }
  if (held.length > 0)
    console.warn(
      `rlkit: ${place}: ${held.length} of ${test.length} held-out rows are training rows too, so evaluations are too good; remove them from one of the two`,
    );
}
