/** The replay memory's segments, a ring for each member, and who sees what of them. */
import type { ReplayFieldName } from "../programs/replayFields.ts";
import { eachField, type ReplayArray, type ReplayRows } from "./replayRows.ts";

/** State of one member's ring. */
export interface Segment {
  /** Where the next transition goes. */
  readonly position: number;
  /** Transitions held. */
  readonly count: number;
}

/** Part of a segment that others may sample: `length` rows from `start`, around the ring. */
export interface Visible {
  readonly start: number;
  readonly length: number;
}

/**
 * What others see of a segment while its owner writes `coming` more transitions: all that it holds, less
 * the places the owner may overwrite.
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

/** After `rows` more transitions: the ring, and the range of those of them that it holds. */
export function appended(
  before: Segment,
  size: number,
  rows: number,
): { readonly ring: Segment; readonly start: number; readonly count: number } {
  const ring = advance(before, size, rows);
  const count = Math.min(rows, size);
  return { ring, start: (ring.position - count + size) % size, count };
}

/** A range around a ring as straight pieces: [offset in the range, place in the ring, rows]. */
export function ringPieces(size: number, start: number, count: number): [number, number, number][] {
  const first = Math.min(count, size - start);
  const pieces: [number, number, number][] = [[0, start, first]];
  if (first < count) pieces.push([first, 0, count - first]);
  return pieces;
}

/** A field of the memory, whole. */
export type FieldOf = (field: ReplayFieldName) => ReplayArray;

/** Rows `start .. start + count - 1` of a segment, around its ring, as copies. */
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
