/** The words of a member's table: sizes and addresses that a compiled program reads at run time. */
import type { Binding, Dim } from "../dim.ts";
import { dimKey, evalDim } from "../dim.ts";
import type { Location, Memory } from "./schedule.ts";
import { workUnits } from "./work.ts";

/** One word of a member's table: a size, units of work, or an address. */
export type TableEntry =
  | { readonly kind: "dim"; readonly dim: Dim }
  | { readonly kind: "work"; readonly operations: readonly Dim[]; readonly times: Dim }
  | { readonly kind: "state"; readonly name: string }
  | { readonly kind: "temp"; readonly words: Dim; readonly first: number; last: number };

type Temporary = TableEntry & { kind: "temp" };

/** Gives sizes and buffers their places in the table while a target walks the steps of a program in order. */
export class MemoryTable {
  readonly entries: TableEntry[] = [];
  readonly #slots = new Map<Memory, number>();
  readonly #dims = new Map<string, number>();
  /** Position in the listing, and the loops around it with where they started. */
  #time = 0;
  readonly #open: { readonly start: number; readonly touched: Set<Temporary> }[] = [];

  /** The next step. */
  advance(): void {
    this.#time++;
  }

  /** Slot of a size that is not a literal. */
  dim(dim: Exclude<Dim, number>): number {
    const key = dimKey(dim);
    const known = this.#dims.get(key);
    if (known !== undefined) return known;
    this.#dims.set(key, this.entries.length);
    return this.entries.push({ kind: "dim", dim }) - 1;
  }

  /** Slot of the units of work that steps of so many operations are; `times`: how often a run comes to them. */
  work(operations: readonly Dim[], times: Dim): number {
    return this.entries.push({ kind: "work", operations, times }) - 1;
  }

  /** Slot of a buffer's address, from now on in use. */
  slot(memory: Memory): number {
    let slot = this.#slots.get(memory);
    if (slot === undefined) {
      slot = this.entries.length;
      this.entries.push(
        memory.kind === "state"
          ? { kind: "state", name: memory.name }
          : { kind: "temp", words: memory.words, first: this.#time, last: this.#time },
      );
      this.#slots.set(memory, slot);
    }
    const entry = this.entries[slot];
    if (entry?.kind === "temp") this.#touch(entry);
    return slot;
  }

  /** Walks a loop's body; `held` keeps its contents from one iteration to the next. */
  loop(held: readonly Location[], body: () => void): void {
    for (const { memory } of held) this.slot(memory);
    this.advance();
    const frame = { start: this.#time, touched: new Set<Temporary>() };
    this.#open.push(frame);
    body();
    this.advance();
    this.#open.pop();
    for (const entry of frame.touched) this.#touch(entry);
  }

  /** A temporary made before a loop and used in it must outlive the whole loop. */
  #touch(entry: Temporary): void {
    entry.last = Math.max(entry.last, this.#time);
    for (const loop of this.#open) if (entry.first < loop.start) loop.touched.add(entry);
  }
}

/** The words of a member's table; those of temporaries are 0 until they are placed. */
export const tableWords = (
  table: readonly TableEntry[],
  binding: Binding,
  addressOf: (state: string) => number,
): number[] =>
  table.map((entry) => {
    switch (entry.kind) {
      case "dim":
        return evalDim(entry.dim, binding);
      case "work":
        return workUnits(entry.operations, binding);
      case "state":
        return addressOf(entry.name);
      case "temp":
        return 0;
    }
  });

/** Units of work of a whole run; loops whose counts are known only at run time are taken for one iteration. */
export const unitsOfRun = (table: readonly TableEntry[], binding: Binding): number =>
  table.reduce(
    (sum, entry) =>
      entry.kind === "work"
        ? sum + workUnits(entry.operations, binding) * evalDim(entry.times, binding)
        : sum,
    0,
  );

/** Where each temporary lies, in bytes from the start of the scratch memory. */
export interface ScratchPlan {
  readonly offsets: ReadonlyMap<number, number>;
  readonly bytes: number;
}

/** Spare bytes after a buffer, since kernels read whole vectors. */
export const SLACK = 16;

/** Places temporaries so that those alive together do not overlap, lowest address first. */
export function planScratch(table: readonly TableEntry[], binding: Binding): ScratchPlan {
  const temps = table
    .map((entry, slot) => ({ entry, slot }))
    .filter((t): t is { entry: Temporary; slot: number } => t.entry.kind === "temp")
    .sort((a, b) => a.entry.first - b.entry.first);
  const offsets = new Map<number, number>();
  let alive: { start: number; end: number; last: number }[] = [];
  let bytes = 0;
  for (const { entry, slot } of temps) {
    alive = alive.filter((block) => block.last >= entry.first).sort((a, b) => a.start - b.start);
    const size = (evalDim(entry.words, binding) * 4 + SLACK + 15) & ~15;
    let start = 0;
    for (const block of alive) {
      if (start + size <= block.start) break;
      start = Math.max(start, block.end);
    }
    offsets.set(slot, start);
    alive.push({ start, end: start + size, last: entry.last });
    bytes = Math.max(bytes, start + size);
  }
  return { offsets, bytes };
}
