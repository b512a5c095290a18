/** Sequences that grow in parallel, in a static cache of keys and values. */
import type { Arena, BoundProgram, Executable, Program } from "../../kernels/index.ts";
import { ACT, CAPACITY, COLUMNS, isCache, ROWS } from "./names.ts";
import type { Policy } from "./Policy.ts";

const CHUNK = new Set<string>([ACT.ids]);

interface Chunk {
  readonly arena: Arena;
  readonly bound: BoundProgram;
}

/** Copies of the actor that generate side by side. */
export interface ActorCopies {
  /** Their weights, inside the policy's arena. */
  readonly arena: Arena;
  /** The copy of a row. */
  readonly of: (row: number) => number;
}

/** Logits of rows without new tokens. */
const NONE = new Float32Array();

/** Number of chunks with bound buffers. */
const KEPT_CHUNKS = 32;
/** Tokens of padding that take as long as another pass over a large model's weights: about. */
const WORTH_A_PASS = 16;

/**
 * Tokens of the next pass: those of the longest row, or of the middle one if half of the rows then end, and enough
 * padding is saved.
 */
function columnsOf(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((a, b) => b - a);
  const half = Math.floor(sorted.length / 2);
  const [longest = 0, middle = 0] = [sorted[0], sorted[half]];
  return (longest - middle) * (sorted.length - half) > WORTH_A_PASS ? middle : longest;
}

/** @throws RangeError for rows that grow beyond the capacity. @param lengths Tokens that each row has. */
export function requireCapacity(
  tokens: readonly ArrayLike<number>[],
  lengths: Int32Array,
  capacity: number,
): void {
  for (const [row, before] of lengths.entries()) {
    const length = before + (tokens[row]?.length ?? 0);
    if (length > capacity)
      throw new RangeError(
        `sequence ${row}: found ${length} tokens, allowed ${capacity}; raise max_model_len`,
      );
  }
}

/**
 * For each row the first one with the same tokens, if both are empty so far; otherwise the row itself.
 * @param copyOf Rows of different copies have no source in common (default: all are of one).
 */
export function sourcesOf(
  tokens: readonly ArrayLike<number>[],
  lengths: Int32Array,
  copyOf: (row: number) => number = () => 0,
): Int32Array {
  const firsts = new Map<string, number>();
  return lengths.map((length, row) => {
    const own = tokens[row] ?? [];
    if (length > 0 || own.length === 0) return row;
    const key = [copyOf(row), ...Array.from(own)].join();
    const first = firsts.get(key) ?? row;
    firsts.set(key, first);
    return first;
  });
}

export class Decoding {
  readonly rows: number;
  /** Longest sequence in tokens. */
  readonly capacity: number;
  readonly #policy: Policy;
  readonly #program: Program;
  readonly #executable: Executable;
  readonly #binding: Readonly<Record<string, number>>;
  readonly #arena: Arena;
  /** Whether a pass may compute the first slots only. Other devices compile a program for each number of rows. */
  readonly #takes_some: boolean;
  /** Copies of the actor in its place. */
  readonly copies: ActorCopies | null;
  readonly #chunks = new Map<string, Chunk>();
  /** Number of cached tokens in each row. */
  readonly #lengths: Int32Array;
  /** Place of each row in the cache. */
  #slots: Int32Array;

  private constructor(
    policy: Policy,
    program: Program,
    executable: Executable,
    { rows, capacity }: { readonly rows: number; readonly capacity: number },
    binding: Readonly<Record<string, number>>,
    copies: ActorCopies | null,
  ) {
    this.copies = copies;
    this.rows = rows;
    this.capacity = capacity;
    this.#policy = policy;
    this.#program = program;
    this.#executable = executable;
    this.#binding = binding;
    this.#takes_some = policy.model.device.kind === "wasm";
    this.#lengths = new Int32Array(rows);
    this.#slots = Int32Array.from({ length: rows }, (_, row) => row);
    const kept = [...program.states.values()].filter(({ name }) => !CHUNK.has(name));
    this.#arena = policy.model.arena(kept, binding, copies?.arena ?? policy.arena);
  }

  /**
   * @param capacity Longest sequence in tokens.
   * @param copies Copies for a program that has them.
   */
  static async open(
    policy: Policy,
    program: Program,
    rows: number,
    capacity: number,
    copies: ActorCopies | null = null,
  ): Promise<Decoding> {
    const executable = await policy.model.device.compile(program);
    // One extra position, which padding is written to.
    const places = policy.model.columnsFor(capacity) + 1;
    const binding = { ...copies?.arena.binding, [ROWS]: rows, [CAPACITY]: places };
    return new Decoding(policy, program, executable, { rows, capacity }, binding, copies);
  }

  get bytes(): number {
    return this.#arena.bytes;
  }

  /** Number of cached tokens in a row. */
  length(row: number): number {
    return this.#lengths[row] ?? 0;
  }

  /**
   * Appends tokens to rows, and returns the logits after the last token of each: [V], or nothing for rows without new
   * tokens. Empty rows with equal tokens are computed once.
   * @throws RangeError for rows that grow beyond the capacity.
   */
  async extend(tokens: readonly ArrayLike<number>[]): Promise<readonly Float32Array[]> {
    const sizes = Array.from({ length: this.rows }, (_, row) => tokens[row]?.length ?? 0);
    requireCapacity(tokens, this.#lengths, this.capacity);
    const sources = this.#takes_some
      ? sourcesOf(tokens, this.#lengths, this.copies?.of)
      : this.#lengths.map((_length, row) => row);
    const logits = sizes.map((): Float32Array => NONE);
    let open = [...sizes.keys()].filter((row) => sizes[row] && sources[row] === row);
    const sizeOf = (row: number) => sizes[row] ?? 0;
    if (this.#takes_some) await this.#bringForward(open, sizeOf);
    for (let done = 0; open.length > 0; ) {
      const left = open.map((row) => sizeOf(row) - done);
      const columns = this.#takes_some ? columnsOf(left) : Math.max(...left);
      await this.#run(
        open.map((row) => ({ row, ids: Array.from(tokens[row] ?? []).slice(done, done + columns) })),
      );
      done += columns;
      const results = (await this.#arena.read(ACT.logits)) as Float32Array; // declared f32
      const size = results.length / this.rows;
      for (const row of open)
        if (sizeOf(row) <= done) {
          const slot = this.#slots[row] ?? 0;
          logits[row] = results.subarray(slot * size, (slot + 1) * size);
        }
      open = open.filter((row) => sizeOf(row) > done);
    }
    await this.#copy(sources);
    return logits.map((own, row) => (sizes[row] ? (logits[sources[row] ?? row] ?? own) : NONE));
  }

  /** Empties all rows. */
  restart(): void {
    this.#lengths.fill(0);
  }

  /**
   * Moves rows to the first slots if they are at most half of those up to the last of them. In an empty cache, which
   * has nothing to move, the longest come first.
   */
  async #bringForward(rows: readonly number[], sizeOf: (row: number) => number): Promise<void> {
    const isEmpty = this.#lengths.every((length) => length === 0);
    const last = Math.max(...rows.map((row) => this.#slots[row] ?? 0));
    if (!isEmpty && 2 * rows.length > last + 1) return;
    const first = isEmpty ? rows.toSorted((a, b) => sizeOf(b) - sizeOf(a)) : rows;
    const others = [...this.#slots.keys()].filter((row) => !first.includes(row));
    const slots = new Int32Array(this.rows);
    const from = new Int32Array(this.rows);
    for (const [slot, row] of [...first, ...others].entries()) {
      slots[row] = slot;
      from[slot] = this.#slots[row] ?? 0;
    }
    this.#slots = slots;
    if (!isEmpty) await this.#move(from);
  }

  /** Copies the cache of each row's source to it. */
  async #copy(sources: Int32Array): Promise<void> {
    if (sources.every((source, row) => source === row)) return;
    const from = new Int32Array(this.rows);
    for (const [row, slot] of this.#slots.entries()) {
      const source = sources[row] ?? row;
      from[slot] = this.#slots[source] ?? slot;
      this.#lengths[row] = this.length(source);
    }
    await this.#move(from);
  }

  /** Fills each slot of the cache with the contents that the slot `from` had. */
  async #move(from: Int32Array): Promise<void> {
    for (const name of this.#program.states.keys()) {
      if (!isCache(name)) continue;
      const values = (await this.#arena.read(name)) as Float32Array; // declared f32
      const size = values.length / this.rows;
      const moved = new Float32Array(values.length);
      for (const [slot, source] of from.entries())
        moved.set(values.subarray(source * size, (source + 1) * size), slot * size);
      this.#arena.write(name, moved);
    }
  }

  /** Appends tokens to rows. Slots up to the last of them are computed. */
  async #run(fresh: readonly { readonly row: number; readonly ids: readonly number[] }[]): Promise<void> {
    const columns = this.#policy.model.columnsFor(Math.max(1, ...fresh.map(({ ids }) => ids.length)));
    const rows = this.#takes_some
      ? 1 + Math.max(...fresh.map(({ row }) => this.#slots[row] ?? 0))
      : this.rows;
    const all = new Int32Array(rows * columns);
    const counts = new Int32Array(rows);
    const starts = new Int32Array(rows);
    for (const { row, ids } of fresh) {
      const slot = this.#slots[row] ?? 0;
      all.set(ids, slot * columns);
      counts[slot] = ids.length;
    }
    for (const [row, slot] of this.#slots.entries()) if (slot < rows) starts[slot] = this.length(row);
    const { arena, bound } = this.#chunk(rows, columns);
    arena.write(ACT.ids, all);
    this.#arena.write(ACT.start, starts);
    this.#arena.write(ACT.count, counts);
    if (this.copies) {
      const copies = new Int32Array(rows);
      for (const [row, slot] of this.#slots.entries()) if (slot < rows) copies[slot] = this.copies.of(row);
      this.#arena.write(ACT.copy, copies);
    }
    await bound.run();
    for (const { row, ids } of fresh) this.#lengths[row] = this.length(row) + ids.length;
  }

  #chunk(rows: number, columns: number): Chunk {
    const key = `${rows} ${columns}`;
    const known = this.#chunks.get(key);
    this.#chunks.delete(key);
    if (known) {
      this.#chunks.set(key, known);
      return known;
    }
    for (const [oldest, { arena, bound }] of this.#chunks) {
      if (this.#chunks.size < KEPT_CHUNKS) break;
      bound.release();
      arena.release();
      this.#chunks.delete(oldest);
    }
    const binding = { ...this.#binding, [COLUMNS]: columns };
    const states = [...this.#program.states.values()];
    const arena = this.#policy.model.arena(states, binding, this.#arena);
    const made = { arena, bound: this.#executable.bind(arena, rows === this.rows ? {} : { [ROWS]: rows }) };
    this.#chunks.set(key, made);
    return made;
  }

  release(): void {
    for (const { arena, bound } of this.#chunks.values()) {
      bound.release();
      arena.release();
    }
    this.#chunks.clear();
    this.#arena.release();
  }
}
