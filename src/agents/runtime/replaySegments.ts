/** The segments of the replay buffer, a ring for each member, and the parts that other members see. */
import type { ReplayFieldName } from "../../rl/programs.ts";
import { eachField, type ReplayArray, type ReplayRows } from "./replayRows.ts";

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

/** The ring after `rows` more transitions, and the range of the new transitions that it still holds. */
export function appended(
  before: Segment,
  size: number,
  rows: number,
): { readonly ring: Segment; readonly start: number; readonly count: number } {
  const ring = advance(before, size, rows);
  const count = Math.min(rows, size);
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

/** Copies rows `start .. start + count - 1` of a segment, wrapping around its ring. */
export function segmentRows(
  fieldOf: FieldOf,
  memory: { readonly population: number; readonly segment: number },
  { slot, start, count }: { readonly slot: number; readonly start: number; readonly count: number },
): ReplayRows {
  const { population, segment } = memory;
  return eachField((field) => {
    const view = fieldOf(field);
    const width = view.length / (population * segment);
    const out = view.slice(0, count * width);
    for (const [at, from, n] of ringPieces(segment, start, count)) {
      const first = (slot * segment + from) * width;
      out.set(view.subarray(first, first + n * width), at * width);
    }
    return out;
  });
}
