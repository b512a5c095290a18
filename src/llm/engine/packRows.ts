/**
 * Packs short sequences into rows as long as the longest one. Attention and positions are within each sequence, so that
 * what is computed is the same as for one sequence per row.
 */
import type { Sequences } from "./Policy.ts";

interface PackedRows {
  /** Rows of several sequences; `attention_mask` numbers them from 1, and is 0 for padding. */
  readonly sequences: Sequences;
  /** Moves values of next tokens to their new places: [rows, T - 1] before and after. Others are 0. */
  move(values: Float32Array): Float32Array;
}

/** A sequence's place in a packed row. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly size: number;
}

/** Places each sequence into the first row with room for it, the longest first (first-fit decreasing). */
function placesOf(
  sizes: readonly number[],
  length: number,
): { readonly places: Place[]; readonly rows: number } {
  const longestFirst = sizes.map((size, from) => ({ size, from })).sort((a, b) => b.size - a.size);
  const used: number[] = [];
  const places: Place[] = [];
  for (const { size, from } of longestFirst) {
    if (size < 2) continue; // no token has a next one
    const room = used.findIndex((own) => own + size <= length);
    const to = room < 0 ? used.length : room;
    const start = used[to] ?? 0;
    places.push({ from, to, start, size });
    used[to] = start + size;
  }
  return { places, rows: Math.max(1, used.length) };
}

export function packRows({ rows, length, input_ids, attention_mask }: Sequences): PackedRows {
  const sizes = Array.from(
    { length: rows },
    (_, row) => attention_mask.subarray(row * length, (row + 1) * length).lastIndexOf(1) + 1,
  );
  const { places, rows: packed } = placesOf(sizes, length);
  const ids = new Int32Array(packed * length);
  const mask = new Int32Array(packed * length);
  for (const [i, { from, to, start, size }] of places.entries()) {
    ids.set(input_ids.subarray(from * length, from * length + size), to * length + start);
    mask.fill(i + 1, to * length + start, to * length + start + size);
  }
  const columns = length - 1;
  return {
    sequences: { rows: packed, length, input_ids: ids, attention_mask: mask },
    move(values) {
      const moved = new Float32Array(packed * columns);
      for (const { from, to, start, size } of places) {
        const own = values.subarray(from * columns, from * columns + size - 1);
        moved.set(own, to * columns + start);
      }
      return moved;
    },
  };
}
