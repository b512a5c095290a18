/** Numbers and classes of a bandit's table, from its CSV files. */
import { parseCsv, plainText } from "../../llm/environments.ts";

/** A file of a table, and its name in messages. */
export interface TableFile {
  readonly name: string;
  readonly text: string;
}

interface Line {
  readonly cells: readonly string[];
  /** Line number, starting at 1. */
  readonly line: number;
}

/** Tables do not use the notations of programming languages, such as hexadecimal. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const isNumber = (cell: string): boolean => NUMBER.test(cell) && Number.isFinite(Number(cell));
/** A name of a column, and not a number with a mistake or a missing one. */
const isWord = (cell: string): boolean =>
  /^[\p{L}_]/u.test(cell) && !/^(?:nan?|n\/a|null|none|inf(?:inity)?)$/i.test(cell);

/** The lines of a file with fields; blank lines are skipped. @throws Error naming the file and the place. */
function linesOf({ name, text }: TableFile): Line[] {
  return parseCsv(plainText(text, name), name).flatMap(({ fields, line }) => {
    const isBlank = fields.length === 1 && /^\s+$/.test(fields[0] ?? "");
    return isBlank ? [] : [{ cells: fields.map((field) => field.trim()), line }];
  });
}

/** Whether the first line is text above numbers, or has a word above a number. */
function hasHeader([first, second]: readonly Line[]): boolean {
  if (!first || !second?.cells.some(isNumber)) return false;
  const isText = !first.cells.some((cell) => cell !== "" && Number.isFinite(Number(cell)));
  return isText || first.cells.some((cell, i) => isWord(cell) && isNumber(second.cells[i] ?? ""));
}

/**
 * The numbers of each row, without a header.
 * @returns the rows, and whether the header has numbers too, so that it may be a row with a mistake.
 * @throws Error naming file and line of a cell that is not a number.
 */
export function numbersIn(file: TableFile): { readonly rows: number[][]; readonly isDoubtful: boolean } {
  const lines = linesOf(file);
  const isHeader = hasHeader(lines);
  const rows = (isHeader ? lines.slice(1) : lines).map(({ cells, line }) =>
    cells.map((cell) => {
      if (isNumber(cell)) return Number(cell);
      throw new Error(`${file.name}, line ${line}: found "${cell}", allowed numbers${likelyCause(cell)}`);
    }),
  );
  return { rows, isDoubtful: isHeader && lines[0]?.cells.some(isNumber) === true };
}

/**
 * The class of each row: integers, or text if any class is text. The first line is a header if it is a word above
 * numbers alone, or if it is one line too many.
 *
 * @param features What `numbersIn` returned.
 * @throws Error naming file and line with several columns.
 */
export function classesIn(
  file: TableFile,
  { rows, isDoubtful }: ReturnType<typeof numbersIn>,
): (number | string)[] {
  const lines = linesOf(file);
  const several = lines.find(({ cells }) => cells.length !== 1);
  if (several)
    throw new Error(`${file.name}, line ${several.line}: found ${several.cells.length} columns, allowed 1`);
  const cells = lines.flatMap((line) => line.cells);
  const [name = "", ...below] = cells;
  const isAbove = isWord(name) && below.length > 0 && below.every(isNumber);
  // If a row of features was taken for a header, its class is here, and probably below too.
  const isExtra = cells.length === rows.length + 1 && !(isDoubtful && below.includes(name));
  const classes = (isAbove || isExtra ? below : cells).map((cell) =>
    isNumber(cell) && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell,
  );
  return classes.some((own) => typeof own === "string") ? classes.map(String) : classes;
}

/** What a spreadsheet's settings may have done to a number. */
function likelyCause(cell: string): string {
  if (cell.includes(";"))
    return " separated by commas; this file separates them by semicolons: export it with commas, and with points in numbers";
  if (cell.includes("\t")) return " separated by commas; this file separates them by tabs";
  if (/^[+-]?\d*,\d+$/.test(cell)) return " with decimal points; this one has a decimal comma";
  return "";
}
