/** Where the episodes of a flat data set end, as the tables of its writer mark it. */
import type { Column } from "../Column.ts";
import { DatasetError } from "../DatasetError.ts";
import { readFlags } from "../rowSpace.ts";

/** Tables of a flat data set by name. */
export interface FlatTables {
  readonly source: string;
  /** Names of all tables, those of groups with the group's name and a slash before it. */
  readonly names: readonly string[];
  /** Finds a table by name, with rows of `size` numbers; `null` if there is none. */
  find(name: string, size: number): Column | null;
}

export interface EpisodeEnds {
  /** 1 for each row at which the task ended. */
  readonly terminated: Uint8Array;
  /** 1 for each row that is the last of its episode, for whatever reason. */
  readonly last: Uint8Array;
  /** Tables that are as long as the rows, or hold row numbers, under names of unknown meaning. */
  readonly unread: readonly string[];
}

const UNIT = "(?:episode|ep|trajectory|traj|path|rollout)";
const BY_TASK = "(?:terminals?|terminat(?:ions?|eds?))";
const BY_LIMIT = "(?:timeouts?|time_limits?|truncat(?:ions?|eds?))";
const BY_EITHER = "(?:dones?|ends?|lasts?)";

/** What a table's name says about its contents. The first that fits counts. */
const MEANINGS = {
  /** A flag for each row: the task ended. */
  terminated: new RegExp(`^(?:is_)?${BY_TASK}$`),
  /** A flag for each row, or row numbers: a limit ended the episode. */
  truncated: new RegExp(`^(?:is_)?(?:${UNIT}_)?${BY_LIMIT}$`),
  /** The same, for whatever reason. */
  ended: new RegExp(`^(?:is_)?(?:(?:${UNIT}_)?${BY_EITHER}|${UNIT}_${BY_TASK})$`),
  /** A flag for each row, or row numbers: the first of an episode. */
  started: new RegExp(`^(?:is_)?(?:${UNIT}_)?(?:starts?|firsts?|begins?|inits?|initials?)$`),
  /** Steps of each episode. */
  lengths: new RegExp(`^${UNIT}_(?:lengths?|lens?)$`),
  /** The episode of each row. */
  ids: new RegExp(`^${UNIT}s?(?:_(?:ids?|index|idx|numbers?))?$`),
} as const;
type Meaning = keyof typeof MEANINGS;

/** `episodeEnds` and `meta/episode_ends` mean the same as `episode_ends`. */
const plainName = (name: string): string =>
  name
    .slice(name.lastIndexOf("/") + 1)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();

function meaningOf(name: string): Meaning | null {
  const plain = plainName(name);
  return (Object.keys(MEANINGS) as Meaning[]).find((meaning) => MEANINGS[meaning].test(plain)) ?? null;
}

const isData = (name: string): boolean =>
  /^(?:observations|next_observations|actions|(?:next_)?action_masks|rewards)(?:\/|$)/.test(name);

/** Whether a table's name says what it contains. */
export const isKnownTable = (name: string): boolean => isData(name) || meaningOf(name) !== null;

/** Additional information about steps, which never marks ends. */
const isInfo = (name: string): boolean => /^(?:env_)?infos?\//.test(name);

/**
 * @param rows Number of steps in the data set.
 * @throws DatasetError if no table says where tasks ended, and for a table that contradicts its name.
 */
export function episodeEnds(tables: FlatTables, rows: number): EpisodeEnds {
  const { source } = tables;
  const read = { terminated: [], truncated: [], ended: [] } as Record<
    "terminated" | "truncated" | "ended",
    Uint8Array[]
  >;
  const unread: string[] = [];
  for (const name of tables.names) {
    const column = isData(name) || isInfo(name) ? null : tables.find(name, 1);
    if (!column) continue;
    const meaning = meaningOf(name);
    if (meaning === "terminated") read.terminated.push(flagOfRows(column, rows, source));
    else if (meaning === "truncated" || meaning === "ended") read[meaning].push(endsIn(column, rows, source));
    else if (meaning === "started") read.ended.push(beforeStarts(column, rows, source));
    else {
      const ends =
        meaning === "lengths"
          ? endsOfLengths(column, rows)
          : meaning === "ids"
            ? endsOfIds(column, rows)
            : null;
      if (ends) read.ended.push(ends);
      else if (isLikeEnds(column, rows)) unread.push(name);
    }
  }
  const terminated = read.terminated.length > 0 ? union(read.terminated, rows) : taskEnds(read, rows);
  if (!terminated)
    throw new DatasetError(
      source,
      `terminals is missing; found ${tables.names.join(", ")}, allowed terminals (1 for each row at which the task ended), or dones with timeouts or truncations`,
    );
  return { terminated, last: union([terminated, ...read.truncated, ...read.ended], rows), unread };
}

/** Ends that no limit made, where the file has only ends of both kinds and those of limits. */
function taskEnds(
  { truncated, ended }: Readonly<Record<"truncated" | "ended", readonly Uint8Array[]>>,
  rows: number,
): Uint8Array | null {
  if (truncated.length === 0 || ended.length === 0) return null;
  const cut = union(truncated, rows);
  return union(ended, rows).map((is, row) => (cut[row] === 1 ? 0 : is));
}

function union(flags: readonly Uint8Array[], rows: number): Uint8Array {
  return Uint8Array.from({ length: rows }, (_, row) => (flags.some((is) => is[row] === 1) ? 1 : 0));
}

const numbersIn = (column: Column): number[] =>
  Array.from(column.read(0, column.shape[0] ?? 0) as ArrayLike<number>, Number);

/** Whether there is one number for each row. */
const isRowLong = ({ shape }: Column, rows: number): boolean =>
  shape[0] === rows && shape.slice(1).every((n) => n === 1);

function flagOfRows(column: Column, rows: number, source: string): Uint8Array {
  if (isRowLong(column, rows)) return readFlags(column, source);
  throw new DatasetError(
    source,
    `${column.place}: found rows of shape [${column.shape.join(", ")}], allowed ${rows} rows (the number of rewards) of 0 or 1`,
  );
}

/** Increasing row numbers from 0 to the number of rows. */
const isRowNumbers = (values: readonly number[], rows: number): boolean =>
  values.length > 0 &&
  values.every((value, i) => Number.isInteger(value) && value <= rows && value > (values[i - 1] ?? -1));

/** Flags for each row, or row numbers; `null` for neither. */
function marksIn(
  column: Column,
  rows: number,
  source: string,
): { readonly flags: Uint8Array } | { readonly at: readonly number[] } {
  const values = column.shape.slice(1).every((n) => n === 1) ? numbersIn(column) : [];
  const isFlags = values.length === rows && values.every((value) => value === 0 || value === 1);
  if (!isFlags && isRowNumbers(values, rows)) return { at: values };
  return { flags: flagOfRows(column, rows, source) };
}

function atRows(numbers: readonly number[], rows: number): Uint8Array {
  const flags = new Uint8Array(rows);
  for (const row of numbers) if (row >= 0) flags[row] = 1;
  return flags;
}

/** Row numbers are those of last rows, or, if the last is the number of rows, those after them. */
function endsIn(column: Column, rows: number, source: string): Uint8Array {
  const marks = marksIn(column, rows, source);
  if ("flags" in marks) return marks.flags;
  const final = marks.at.at(-1);
  if (final === rows)
    return atRows(
      marks.at.map((row) => row - 1),
      rows,
    );
  if (final === rows - 1) return atRows(marks.at, rows);
  throw new DatasetError(
    source,
    `${column.place}: found row numbers up to ${final}, allowed up to ${rows - 1} (the last row of each episode) or ${rows} (the row after it)`,
  );
}

function beforeStarts(column: Column, rows: number, source: string): Uint8Array {
  const marks = marksIn(column, rows, source);
  const starts = "at" in marks ? marks.at : [...marks.flags.keys()].filter((row) => marks.flags[row] === 1);
  return atRows(
    starts.map((row) => row - 1),
    rows,
  );
}

function endsOfLengths(column: Column, rows: number): Uint8Array | null {
  const lengths = numbersIn(column);
  let row = 0;
  const ends = lengths.map((length) => (row += length) - 1);
  return row === rows && lengths.every((length) => Number.isInteger(length) && length > 0)
    ? atRows(ends, rows)
    : null;
}

function endsOfIds(column: Column, rows: number): Uint8Array | null {
  if (!isRowLong(column, rows)) return null;
  // Ids may be text.
  const ids = Array.from<unknown>(column.read(0, rows));
  return Uint8Array.from(ids, (id, row) => (row + 1 < rows && !Object.is(ids[row + 1], id) ? 1 : 0));
}

/** Whether a table has something for each row, or row numbers. */
function isLikeEnds(column: Column, rows: number): boolean {
  const [length = 0, ...width] = column.shape;
  if (length > 0 && (length === rows || (width.length === 0 && length % rows === 0))) return true;
  return length > 1 && length <= rows && width.every((n) => n === 1) && isRowNumbers(numbersIn(column), rows);
}
