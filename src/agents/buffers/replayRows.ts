/** Rows of the replay buffer on the host, and the rings that members write them to: one segment for each member. */
import {
  byteWords,
  isPacked,
  numbersIn,
  REPLAY_FIELDS,
  type ReplayField,
  type ReplayFieldName,
  rowParts,
  rowWords,
} from "../../rl/programs.ts";

/** Words of one field: numbers, or, in a Uint32Array, packed bytes and the bits of numbers. */
export type ReplayArray = Float32Array | Int32Array | Uint32Array;

/** Consecutive rows, by field. */
export type ReplayRows = Readonly<Record<ReplayFieldName, ReplayArray>>;

/** Bytes of rows that are read or sent at a time, because a message between threads is copied as a whole. */
export const PART_BYTES = 2 ** 23;

/** A record with the result of `of` for every field. */
export const eachField = <T>(of: (name: ReplayFieldName) => T): Readonly<Record<ReplayFieldName, T>> =>
  Object.fromEntries(REPLAY_FIELDS.map((name) => [name, of(name)])) as Record<ReplayFieldName, T>;

/** The typed array class that holds a field. */
export function arrayOf(field: ReplayField): typeof Float32Array | typeof Int32Array | typeof Uint32Array {
  if (isPacked(field)) return Uint32Array;
  return field.dtype === "i32" ? Int32Array : Float32Array;
}

/** A zero-filled array of the same type. */
export function zerosLike(array: ReplayArray, length: number): ReplayArray {
  if (array instanceof Float32Array) return new Float32Array(length);
  return array instanceof Int32Array ? new Int32Array(length) : new Uint32Array(length);
}

/** `count` rows of zeros. */
export const emptyRows = (
  fields: Readonly<Record<ReplayFieldName, ReplayField>>,
  count: number,
): ReplayRows => eachField((name) => new (arrayOf(fields[name]))(count * rowWords(fields[name])));

/** Copies rows from `from` up to, but not including, `to`. */
export const copyRows = (rows: ReplayRows, from: number, to: number): ReplayRows =>
  eachField((name) => {
    // `ended` has one number per row.
    const width = rows[name].length / rows.ended.length;
    return rows[name].slice(from * width, to * width);
  });

/** Words of an observation in a row, with its mask if there is one. */
export const observationWords = ({ obs, ended }: ReplayRows): number => obs.length / ended.length;

/**
 * Rows whose observations have at least `words` words. What is missing is a mask of ones: environments without masks
 * allow every choice.
 */
export function withMasks(rows: ReplayRows, words: number): ReplayRows {
  const before = observationWords(rows);
  if (!(before < words)) return rows;
  const ones = new Float32Array(words - before).fill(1);
  return eachField((name) => {
    const narrow = rows[name];
    if (name !== "obs" && name !== "next_obs") return narrow;
    const wide = zerosLike(narrow, rows.ended.length * words);
    // Masks are the last words of a row, also where observations are bytes.
    const legal = wide instanceof Float32Array ? ones : new Uint32Array(ones.buffer);
    for (let row = 0; row < rows.ended.length; row++) {
      wide.set(narrow.subarray(row * before, (row + 1) * before), row * words);
      wide.set(legal, row * words + before);
    }
    return wide;
  });
}

/** The first number that a packed field cannot store as a byte (an integer from 0 to 255), or undefined. */
export function firstNoByte(numbers: ArrayLike<number>, { shape, bytes }: ReplayField): number | undefined {
  if (numbers instanceof Uint8Array || numbers instanceof Uint8ClampedArray) return undefined;
  const width = numbersIn(shape);
  for (const { start, size } of bytes) {
    for (let row = start; row < numbers.length; row += width) {
      for (let i = row; i < row + size; i++) {
        const x = numbers[i] as number;
        if (!Number.isInteger(x) || x < 0 || x > 255) return x;
      }
    }
  }
  return undefined;
}

/**
 * The parts of packed rows: their range in a row of numbers, and the view, first element and stride to access
 * them in `rows`.
 */
function partsOf(rows: ReplayArray, field: ReplayField) {
  const { buffer, byteOffset, byteLength, length } = rows;
  const bytes = { array: new Uint8Array(buffer, byteOffset, byteLength), before: 0, stride: 4 };
  const words = { array: new Float32Array(buffer, byteOffset, length), before: byteWords(field), stride: 1 };
  return rowParts(field).map(({ kind, start, size, at }) => {
    const { array, before, stride } = kind === "byte" ? bytes : words;
    return { start, size, array, first: before + at, stride: stride * rowWords(field) };
  });
}

/** Packs rows of numbers in the layout of a packed field, like `packed`. */
export function packRows(numbers: ArrayLike<number>, field: ReplayField): Uint32Array {
  const width = numbersIn(field.shape);
  const count = numbers.length / width;
  const out = new Uint32Array(count * rowWords(field));
  for (const { start, size, array, first, stride } of partsOf(out, field)) {
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < size; i++)
        array[first + row * stride + i] = numbers[row * width + start + i] as number;
    }
  }
  return out;
}

/** Unpacks rows that `packRows` made. */
export function unpackRows(rows: ReplayArray, field: ReplayField): Float32Array {
  const width = numbersIn(field.shape);
  const count = rows.length / rowWords(field);
  const out = new Float32Array(count * width);
  for (const { start, size, array, first, stride } of partsOf(rows, field)) {
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < size; i++) out[row * width + start + i] = array[first + row * stride + i] as number;
    }
  }
  return out;
}

/** State of one member's ring. */
export interface Segment {
  /** Position of the next transition. */
  readonly position: number;
  /** Transitions held. */
  readonly count: number;
}

/** Part of a segment that others may sample: `length` rows from `start`, wrapping around the ring. */
export interface Visible {
  readonly start: number;
  readonly length: number;
}

/**
 * The part of a segment that others see while its owner writes `coming` more transitions: all that it holds,
 * without the positions that the owner may overwrite.
 */
export function visiblePart({ position, count }: Segment, size: number, coming: number): Visible {
  const writes = Math.min(coming, size);
  if (count === size) return { start: (position + writes) % size, length: size - writes };
  const wrapped = Math.max(0, position + writes - size);
  return { start: Math.min(wrapped, count), length: Math.max(0, count - wrapped) };
}

/** The ring after `rows` more transitions. */
export function advance({ position, count }: Segment, size: number, rows: number): Segment {
  return { position: (position + rows) % size, count: Math.min(size, count + rows) };
}

/**
 * Rows of the newest vector step, in some of its lanes; none before the first step.
 * @param lanes 1 for those lanes, [num_envs].
 */
export const newestRows = ({ position, count }: Segment, size: number, lanes: Uint8Array): number[] =>
  count < lanes.length
    ? []
    : [...lanes].flatMap((is, lane) => (is ? [(position - lanes.length + lane + size) % size] : []));

/**
 * The ring after `rows` more transitions, and the range of the new transitions that it still holds.
 * @param again Transitions before those, which were changed.
 */
export function appended(
  before: Segment,
  size: number,
  rows: number,
  again = 0,
): { readonly ring: Segment; readonly start: number; readonly count: number } {
  const ring = advance(before, size, rows);
  const count = Math.min(rows + again, size);
  return { ring, start: (ring.position - count + size) % size, count };
}

/** Splits a range of a ring into contiguous pieces: [offset in the range, position in the ring, rows]. */
export function ringPieces(size: number, start: number, count: number): [number, number, number][] {
  const first = Math.min(count, size - start);
  const pieces: [number, number, number][] = [[0, start, first]];
  if (first < count) pieces.push([first, 0, count - first]);
  return pieces;
}

/** Returns a whole field of the replay buffer. */
export type FieldOf = (field: ReplayFieldName) => ReplayArray;

/** Sizes of a replay buffer: a segment for each member, then the demonstrations (default: none). */
export interface MemorySize {
  readonly population: number;
  readonly segment: number;
  readonly demonstrations?: number;
}

/** Rows of a replay buffer. */
export const capacityOf = ({ population, segment, demonstrations = 0 }: MemorySize): number =>
  population * segment + demonstrations;

/** Rows of a slot's ring. The slot after the last member's has the demonstrations. */
export const ringOf = ({ population, segment, demonstrations = 0 }: MemorySize, slot: number): number =>
  slot === population ? demonstrations : segment;

/** Copies rows `start .. start + count - 1` of a segment, wrapping around its ring. @internal */
export function segmentRows(
  fieldOf: FieldOf,
  memory: MemorySize,
  { slot, start, count }: { readonly slot: number; readonly start: number; readonly count: number },
): ReplayRows {
  const { segment } = memory;
  return eachField((field) => {
    const view = fieldOf(field);
    const width = view.length / capacityOf(memory);
    const out = view.slice(0, count * width);
    for (const [at, from, n] of ringPieces(ringOf(memory, slot), start, count)) {
      const first = (slot * segment + from) * width;
      out.set(view.subarray(first, first + n * width), at * width);
    }
    return out;
  });
}
