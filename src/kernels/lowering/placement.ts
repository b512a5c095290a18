/** Placement of a table's buffers that live only for part of a program. */
import { type Binding, type Dim, evalDim } from "../dim.ts";
import type { TableEntry, Temporary } from "./memoryTable.ts";

/** Location of each temporary by its slot, in bytes from the start of the scratch memory. */
export interface ScratchPlan {
  readonly offsets: ReadonlyMap<number, number>;
  readonly bytes: number;
}

/** Spare bytes after a buffer, since kernels read whole vectors. */
export const SLACK = 16;

/** The last plan of each table: lanes of an environment bind its programs again and again with the same sizes. */
const lastPlans = new WeakMap<
  readonly TableEntry[],
  { readonly sizes: readonly number[]; readonly plan: ScratchPlan }
>();

/** Places temporaries. */
export function planScratch(table: readonly TableEntry[], binding: Binding): ScratchPlan {
  const bytesOf = (words: Dim): number => (evalDim(words, binding) * 4 + SLACK + 15) & ~15;
  const sizes = table.flatMap((entry) => (entry.kind === "temp" ? [bytesOf(entry.words)] : []));
  const last = lastPlans.get(table);
  if (last?.sizes.every((size, i) => size === sizes[i])) return last.plan;
  const plan = planPlaces(table, "temp", bytesOf);
  lastPlans.set(table, { sizes, plan });
  return plan;
}

/** Places staged matrices in `room` bytes; a matrix that does not fit into the rest gets no place. */
export const planStaged = (
  table: readonly TableEntry[],
  binding: Binding,
  room: number,
): ScratchPlan["offsets"] =>
  planPlaces(table, "staged", (words) => (evalDim(words, binding) * 4 + 15) & ~15, room).offsets;

interface Block {
  readonly slot: number;
  readonly start: number;
  readonly end: number;
  readonly last: number;
}

/**
 * Places each buffer at the lowest free address, so that buffers alive at the same time do not overlap. A
 * buffer may instead reuse the memory of one that ends where it is created.
 */
function planPlaces(
  table: readonly TableEntry[],
  kind: Temporary["kind"],
  bytesOf: (words: Dim) => number,
  room = Number.POSITIVE_INFINITY,
): ScratchPlan {
  const buffers = table
    .map((entry, slot) => ({ entry, slot }))
    .filter((t): t is { entry: Temporary; slot: number } => t.entry.kind === kind)
    .sort((a, b) => a.entry.first - b.entry.first);
  const offsets = new Map<number, number>();
  /** By address. */
  let alive: Block[] = [];
  let bytes = 0;
  for (const { entry, slot } of buffers) {
    alive = alive.filter((block) => block.last >= entry.first);
    const size = bytesOf(entry.words);
    const start = replaced(entry, size, alive) ?? lowestGap(size, alive);
    if (start + size > room) continue;
    offsets.set(slot, start);
    const next = alive.findIndex((block) => block.start > start);
    alive.splice(next < 0 ? alive.length : next, 0, { slot, start, end: start + size, last: entry.last });
    bytes = Math.max(bytes, start + size);
  }
  return { offsets, bytes };
}

/** Start of the gap with the lowest address; `alive` is sorted by address. */
function lowestGap(size: number, alive: readonly Block[]): number {
  let start = 0;
  for (const block of alive) {
    if (start + size <= block.start) break;
    start = Math.max(start, block.end);
  }
  return start;
}

/** Start of a buffer that ends where this one is created and whose memory has not been reused yet. */
const replaced = (
  { over = [], first }: Temporary,
  size: number,
  alive: readonly Block[],
): number | undefined =>
  alive.find(
    (block) =>
      over.includes(block.slot) &&
      block.last === first &&
      block.end - block.start >= size &&
      alive.every(
        (other) => other === block || other.end <= block.start || other.start >= block.start + size,
      ),
  )?.start;
