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
      /** Slots of temporaries whose memory it may reuse if their last use is where it is created. */
      over?: readonly number[];
    };

export type Temporary = TableEntry & { kind: "temp" | "staged" };

/** Assigns table slots to sizes and buffers while a target walks the steps of a program in order. */
export class MemoryTable {
  readonly entries: TableEntry[] = [];
  readonly #slots = new Map<Memory | Staged, number>();
  readonly #dims = new Map<string, number>();
  /** Position in the program, and the enclosing loops with their start positions. */
  #time = 0;
  readonly #open: { readonly start: number; readonly touched: Set<Temporary> }[] = [];

  /** Moves on to the next step. */
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

  /** Slot for the units of work of steps with these operations; `times`: how often a run executes them. */
  work(operations: readonly Dim[], times: Dim): number {
    return this.entries.push({ kind: "work", operations, times }) - 1;
  }

  /** Slot of a buffer's address; marks the buffer as in use. */
  slot(memory: Memory): number {
    return this.#slotOf(memory, () =>
      memory.kind === "state" ? memory : this.#temporary("temp", memory.words),
    );
  }

  /** Slot of a staged matrix's address. The rows are padded to whole vectors of 4. */
  staged(matrix: Staged): number {
    return this.#slotOf(matrix, () =>
      this.#temporary("staged", mulDims(matrix.rows, addDims(matrix.columns, 3))),
    );
  }

  /**
   * Lets results of a fused group reuse the memory of operands that are not read again. This is safe: each
   * element is read before it is written, and by no other element's code. Call it when the group's slots
   * exist.
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

  #slotOf(key: Memory | Staged, make: () => TableEntry): number {
    const slot = this.#slots.get(key) ?? this.entries.push(make()) - 1;
    this.#slots.set(key, slot);
    const entry = this.entries[slot];
    if (entry?.kind === "temp" || entry?.kind === "staged") this.#touch(entry);
    return slot;
  }

  #temporary(kind: Temporary["kind"], words: Dim): Temporary {
    return { kind, words, first: this.#time, last: this.#time };
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

/** The words of a member's table; those of temporaries and staged matrices are 0 until they are placed. */
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

/** Units of work of a whole run; loops whose counts are known only at run time count as one iteration. */
export const unitsOfRun = (table: readonly TableEntry[], binding: Binding): number =>
  table.reduce(
    (sum, entry) =>
      entry.kind === "work"
        ? sum + workUnits(entry.operations, binding) * evalDim(entry.times, binding)
        : sum,
    0,
  );
