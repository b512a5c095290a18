/** The words of a member's table: sizes and addresses that a compiled program reads at run time. */
import type { Binding, Dim } from "../dim.ts";
import { addDims, dimKey, evalDim, mulDims, sameShape } from "../dim.ts";
import type { GroupStep, Location, Memory, Staged } from "./schedule.ts";
import { workUnits } from "./work.ts";

/** One word of a member's table: a size, units of work, or an address ("staged": in faster memory). */
export type TableEntry =
  | { readonly kind: "dim"; readonly dim: Dim }
  | { readonly kind: "work"; readonly operations: readonly Dim[]; readonly times: Dim }
  | { readonly kind: "state"; readonly name: string }
  | {
      readonly kind: "temp" | "staged";
      readonly words: Dim;
      readonly first: number;
      last: number;
      /** Slots of temporaries whose place it may take if they are used for the last time where it is made. */
      over?: readonly number[];
    };

type Temporary = TableEntry & { kind: "temp" | "staged" };

/** Gives sizes and buffers their places in the table while a target walks the steps of a program in order. */
export class MemoryTable {
  readonly entries: TableEntry[] = [];
  readonly #slots = new Map<Memory | Staged, number>();
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
    return this.#inUse(slot);
  }

  /** Slot of the place of a staged matrix, whose rows are filled up to whole vectors of 4. */
  staged(matrix: Staged): number {
    let slot = this.#slots.get(matrix);
    if (slot === undefined) {
      slot = this.entries.length;
      const words = mulDims(matrix.rows, addDims(matrix.columns, 3));
      this.entries.push({ kind: "staged", words, first: this.#time, last: this.#time });
      this.#slots.set(matrix, slot);
    }
    return this.#inUse(slot);
  }

  /**
   * Has results of a fused group, whose slots there are, lie where operands lay that nobody reads again: an element is
   * read before it is written, and by nobody else.
   */
  overwrite({ space, operands, stores }: GroupStep): void {
    const isWhole = new Map<Memory, boolean>();
    for (const [t, { memory, offsets }] of operands) {
      const whole = memory.kind === "temp" && offsets.length === 0 && sameShape(t.shape, space);
      isWhole.set(memory, whole && isWhole.get(memory) !== false);
    }
    const over = [...isWhole].filter(([, whole]) => whole).map(([memory]) => this.slot(memory));
    for (const { to } of stores) {
      const entry = this.entries[this.slot(to.memory)];
      if (entry?.kind === "temp" && to.offsets.length === 0) entry.over = over;
    }
  }

  #inUse(slot: number): number {
    const entry = this.entries[slot];
    if (entry?.kind === "temp" || entry?.kind === "staged") this.#touch(entry);
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

/** The words of a member's table; those of temporaries and of what is staged are 0 until they are placed. */
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
      case "staged":
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

/** Where each temporary lies, by its slot, in bytes from the start of the scratch memory. */
export interface ScratchPlan {
  readonly offsets: ReadonlyMap<number, number>;
  readonly bytes: number;
}

/** Spare bytes after a buffer, since kernels read whole vectors. */
export const SLACK = 16;

/** Places temporaries. */
export const planScratch = (table: readonly TableEntry[], binding: Binding): ScratchPlan =>
  planPlaces(table, "temp", (words) => (evalDim(words, binding) * 4 + SLACK + 15) & ~15);

/** Places what is staged in `room` bytes; a matrix that does not fit into what is left has no place. */
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
 * Places buffers so that those alive together do not overlap, lowest address first, but for those that take the place
 * of one that ends.
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
  let alive: Block[] = [];
  let bytes = 0;
  for (const { entry, slot } of buffers) {
    alive = alive.filter((block) => block.last >= entry.first).sort((a, b) => a.start - b.start);
    const size = bytesOf(entry.words);
    const start = replaced(entry, size, alive) ?? lowestGap(size, alive);
    if (start + size > room) continue;
    offsets.set(slot, start);
    alive.push({ slot, start, end: start + size, last: entry.last });
    bytes = Math.max(bytes, start + size);
  }
  return { offsets, bytes };
}

/** Start of the gap with the lowest address; `alive` in order. */
function lowestGap(size: number, alive: readonly Block[]): number {
  let start = 0;
  for (const block of alive) {
    if (start + size <= block.start) break;
    start = Math.max(start, block.end);
  }
  return start;
}

/** Start of a buffer that ends where this one is made, and whose place nobody has taken. */
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
