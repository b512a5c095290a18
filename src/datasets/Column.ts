/** A table of numbers in a data set, read in parts. */
import { describeValue, isArrayLike } from "../rl/spaces.ts";
import { DatasetError } from "./DatasetError.ts";

/** Numbers as they occur in files and in callers' arrays. */
export type RawNumbers = ArrayLike<number | bigint | boolean>;

const NUMBER_TYPES: readonly string[] = ["number", "bigint", "boolean"];

export interface Column {
  /** Location for messages, such as "episode_3/actions". */
  readonly place: string;
  /** [rows, ...]. */
  readonly shape: readonly number[];
  /** Whether its numbers have no type of their own, so that whole ones may be integers (default: false). */
  readonly untyped?: boolean;
  /**
   * Reads rows from `from` (inclusive) to `to` (exclusive) as flat numbers; for encoded images, a
   * list with the bytes of each.
   */
  read(from: number, to: number): RawNumbers | readonly Uint8Array[];
}

/** An open HDF5 file or group, compatible with h5wasm's File and Group. */
export interface DataHandle {
  keys(): readonly string[];
  /** The object at a path; `null` or `undefined` if there is none. */
  get(path: string): unknown;
}

/** A table in an open HDF5 file, compatible with h5wasm's Dataset. */
interface DataTable {
  readonly shape: readonly number[] | null;
  slice(ranges: [number, number][]): unknown;
}

export const isHandle = (value: unknown): value is DataHandle =>
  typeof value === "object" &&
  value !== null &&
  "keys" in value &&
  typeof value.keys === "function" &&
  "get" in value &&
  typeof value.get === "function";

const isTable = (value: unknown): value is DataTable =>
  typeof value === "object" &&
  value !== null &&
  "shape" in value &&
  "slice" in value &&
  typeof value.slice === "function";

/**
 * The table at a path of an open file; `null` if the path is empty.
 * @throws DatasetError if it is not a table.
 */
export function columnAt(handle: DataHandle, path: string, source: string): Column | null {
  const found = handle.get(path);
  if (found === null || found === undefined) return null;
  if (!isTable(found)) {
    const what = isHandle(found)
      ? `a group with ${found.keys().join(", ") || "nothing"}`
      : describeValue(found);
    throw new DatasetError(source, `${path}: found ${what}, allowed a data set of numbers`);
  }
  const { shape } = found;
  if (!shape || shape.length === 0)
    throw new DatasetError(source, `${path}: found a single value, allowed rows of numbers`);
  return {
    place: path,
    shape,
    read: (from, to) => {
      if (from === to) return [];
      // An array of numbers, or of each row's bytes: h5wasm returns nothing else for objects with a shape.
      return found.slice([[from, to]]) as RawNumbers;
    },
  };
}

/** Bounds the search where groups contain each other. */
const MOST_DEPTH = 8;

/** Paths of all tables of an open file, those in groups with the group's path before them. */
export function tablesIn(handle: DataHandle, before: readonly string[] = []): string[] {
  return handle.keys().flatMap((key) => {
    const found = handle.get(key);
    const path = [...before, key];
    if (isHandle(found)) return path.length < MOST_DEPTH ? tablesIn(found, path) : [];
    // A single value is not a table.
    return isTable(found) && found.shape?.length !== 0 ? [path.join("/")] : [];
  });
}

/** Whether a caller's value is an array of numbers, or of lists of them, by its first one. */
export function hasNumbers(value: unknown): boolean {
  if (!isArrayLike(value) || value.length === 0) return false;
  return NUMBER_TYPES.includes(typeof value[0]) || hasNumbers(value[0]);
}

/** The numbers of nested lists in order, and their shape. */
function flattened(
  value: readonly unknown[],
  place: string,
  source: string,
): { shape: number[]; numbers: unknown[] } {
  const shape = [value.length];
  let level: readonly unknown[] = value;
  while (level.some(isArrayLike)) {
    const lists = level.map((item) => {
      if (isArrayLike(item)) return Array.from(item);
      throw new DatasetError(
        source,
        `${place}: found ${describeValue(item)} next to lists, allowed rows of the same shape`,
      );
    });
    const width = lists[0]?.length ?? 0;
    const other = lists.findIndex((list) => list.length !== width);
    if (other >= 0)
      throw new DatasetError(
        source,
        `${place}: found ${lists[other]?.length} numbers in row ${other} and ${width} in row 0, allowed rows of the same length`,
      );
    shape.push(width);
    level = lists.flat();
  }
  return { shape, numbers: [...level] };
}

/** Wraps a caller's array as a table. @param size Numbers per row, used to split typed arrays. */
export function columnOf(value: unknown, place: string, size: number, source: string): Column {
  const isTyped = isArrayLike(value) && !Array.isArray(value);
  if (!isArrayLike(value))
    throw new DatasetError(source, `${place}: found ${describeValue(value)}, allowed an array of numbers`);
  const { shape, numbers } = isTyped
    ? { shape: null, numbers: value as RawNumbers }
    : flattened(value as readonly unknown[], place, source);
  if (shape === null && numbers.length % size !== 0)
    throw new DatasetError(
      source,
      `${place}: found ${numbers.length} numbers, allowed a multiple of ${size} (the numbers of a row)`,
    );
  const rows = shape?.[0] ?? numbers.length / size;
  const width = rows === 0 ? size : numbers.length / rows;
  const wrong = isTyped
    ? -1
    : (numbers as readonly unknown[]).findIndex((x) => !NUMBER_TYPES.includes(typeof x));
  if (wrong >= 0)
    throw new DatasetError(
      source,
      `${place}: found ${describeValue(numbers[wrong])} in row ${Math.floor(wrong / width)}, allowed numbers`,
    );
  const cut = numbers as { slice(from: number, to: number): RawNumbers };
  return {
    place,
    shape: shape ?? (size === 1 ? [rows] : [rows, size]),
    read: (from, to) => cut.slice(from * width, to * width),
  };
}
