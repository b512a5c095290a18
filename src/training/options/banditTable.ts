/** Tables of bandits: built-in ones, and those from CSV files. */

import { KeptDatasets, keepsDatasets } from "../../datasets/kept.ts";
import { BanditEnvironment, type BanditTable, flowers } from "../../rl/environments.ts";
import { SpecError } from "../../specs/checks.ts";
import { type BanditEnvSpec, FLOWERS } from "../../specs/sections.ts";
import { parseCsv, plainText } from "../../storage/files.ts";
import { baseName, type FileStore, parentPath } from "../../storage/index.ts";

/** A file of a table, and its name in messages. */
interface TableFile {
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

interface Numbers {
  readonly rows: number[][];
  readonly isHeader: boolean;
  /** Whether the header has numbers too, so that it may be a row with a mistake. */
  readonly isDoubtful: boolean;
}

/** The numbers of each row, without a header. @throws Error naming file and line of a cell that is not a number. */
function numbersIn(file: TableFile): Numbers {
  const lines = linesOf(file);
  const isHeader = hasHeader(lines);
  const rows = (isHeader ? lines.slice(1) : lines).map(({ cells, line }) =>
    cells.map((cell) => {
      if (isNumber(cell)) return Number(cell);
      throw new Error(`${file.name}, line ${line}: found "${cell}", allowed numbers${likelyCause(cell)}`);
    }),
  );
  return { rows, isHeader, isDoubtful: isHeader && lines[0]?.cells.some(isNumber) === true };
}

/**
 * Whether the first line is a header: both files have one, or neither, unless the lines say otherwise.
 * @throws Error where it may be a header or a class.
 */
function hasClassHeader(
  { name }: TableFile,
  [first = "", ...below]: readonly string[],
  { rows, isHeader, isDoubtful }: Numbers,
): boolean {
  const isRepeated = below.includes(first);
  const isAbove = isWord(first) && below.length > 0 && below.every(isNumber);
  // If a row of features was taken for a header, its class is here, and probably below too.
  if (below.length === rows.length)
    return isAbove || (isHeader ? !(isDoubtful && isRepeated) : isWord(first) && !isRepeated);
  if (isAbove || !isHeader || isRepeated || [first, ...below].every(isNumber)) return isAbove;
  if (below.length + 1 !== rows.length) return false;
  throw new Error(
    `${name}, line 1: found "${first}", which is a header or a class: the features have a header and ${rows.length} rows, and this file has ${rows.length} lines; give both files a header, or neither`,
  );
}

/**
 * The class of each row: integers, or text if any class is text.
 *
 * @param features What `numbersIn` returned.
 * @throws Error naming file and line with several columns, or whose meaning is unclear.
 */
function classesIn(file: TableFile, features: Numbers): (number | string)[] {
  const lines = linesOf(file);
  const several = lines.find(({ cells }) => cells.length !== 1);
  if (several)
    throw new Error(`${file.name}, line ${several.line}: found ${several.cells.length} columns, allowed 1`);
  const cells = lines.flatMap((line) => line.cells);
  const classes = (hasClassHeader(file, cells, features) ? cells.slice(1) : cells).map((cell) =>
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

/** The manifest section that each environment was read from. */
const sections = new WeakMap<object, object>();

/** A manifest section for a bandit environment; names its files if it was read from files. */
export const banditSection = (environment: BanditEnvironment): object =>
  sections.get(environment) ?? { env_type: "bandit", name: environment.spec.id, num_envs: 1 };

/** File names of a table that a browser keeps. */
export const TABLE_FILES = ["features.csv", "targets.csv"] as const;

/** Built-in tables, by the name that a manifest gives as both features and targets. */
const builtIn: Readonly<Record<string, () => BanditTable>> = { [FLOWERS]: flowers };

/** The built-in table that a manifest names; null if it names files. */
export const builtInTable = ({ features, targets }: BanditEnvSpec): BanditTable | null =>
  (features === targets ? builtIn[features ?? ""]?.() : null) ?? null;

/** @throws SpecError naming the file's setting, the line and what was found there. */
export function parseTable(files: {
  readonly features: TableFile;
  readonly targets: TableFile;
}): BanditTable {
  const features = read("features", () => numbersIn(files.features));
  const targets = read("targets", () => classesIn(files.targets, features));
  const table = { features: features.rows, targets };
  environmentOfTable(table);
  return table;
}

/** @throws SpecError for rows of different lengths, or fewer than two classes. */
export function environmentOfTable({ features, targets }: BanditTable): BanditEnvironment {
  return read("features", () => new BanditEnvironment(features, targets));
}

/** What `of` returns. @throws SpecError with its error, for the setting `name`. */
function read<T>(name: "features" | "targets", of: () => T): T {
  try {
    return of();
  } catch (error) {
    throw refuse(name, error instanceof Error ? error.message : String(error));
  }
}

/** The table that a manifest names. @throws SpecError naming the file's setting, the line and what was found there. */
export async function readTable(section: BanditEnvSpec, store: FileStore): Promise<BanditTable> {
  const built = builtInTable(section);
  if (built) return built;
  const features = await fileOf(section, "features", store);
  return parseTable({ features, targets: await fileOf(section, "targets", store) });
}

/** An environment of the table that a manifest names. @throws The errors of `readTable`. */
export async function readBandit(section: BanditEnvSpec, store: FileStore): Promise<BanditEnvironment> {
  const environment = environmentOfTable(await readTable(section, store));
  sections.set(environment, { ...section, num_envs: 1 });
  return environment;
}

const refuse = (name: string, message: string): SpecError =>
  new SpecError(
    [{ code: "value", path: `environment.${name}`, segments: ["environment", name], message }],
    "manifest",
  );

async function fileOf(
  section: BanditEnvSpec,
  name: "features" | "targets",
  store: FileStore,
): Promise<TableFile> {
  const path = section[name];
  if (path === null) throw refuse(name, "is missing, allowed a CSV file");
  if (builtIn[path])
    throw refuse(name, `found "${path}", a built-in table; give the same name as both features and targets`);
  const kept = keepsDatasets(store) ? await keptFile(path, store) : null;
  if (kept !== null) return { name: path, text: kept };
  if (!(await store.exists(path))) throw refuse(name, `${path}: no such file; check the path`);
  return { name: path, text: new TextDecoder().decode(await store.read(path)) };
}

/**
 * The text of a kept table's file, whose path starts with the table's name; null for other paths.
 * @throws DatasetError for a table that is not kept.
 */
async function keptFile(path: string, store: FileStore): Promise<string | null> {
  const shelf = new KeptDatasets(store);
  const kept = await shelf.named(parentPath(path));
  return kept && shelf.text(kept, baseName(path));
}
