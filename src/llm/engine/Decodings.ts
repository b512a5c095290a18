/** Key-value caches of one policy, by size. */
import type { Arena, BoundProgram, Executable, Program } from "../../kernels/index.ts";
import { actProgram } from "./actProgram.ts";
import { ACT, CAPACITY, COLUMNS, ROWS } from "./names.ts";
import type { Policy } from "./Policy.ts";

const CHUNK = new Set<string>([ACT.ids]);

interface Chunk {
  readonly arena: Arena;
  readonly bound: BoundProgram;
}

/**
 * Sequences that grow in parallel: a static key-value cache, and the number of
 * tokens that each row has in it.
 */
export class Decoding {
  readonly rows: number;
  /** Longest sequence in tokens. */
  readonly #capacity: number;
  readonly #policy: Policy;
  readonly #program: Program;
  readonly #executable: Executable;
  readonly #binding: Readonly<Record<string, number>>;
  readonly #arena: Arena;
  /** Chunks by the number of tokens that they append. */
  readonly #chunks = new Map<number, Chunk>();
  /** Number of cached tokens in each row. */
  readonly #lengths: Int32Array;

  private constructor(
    policy: Policy,
    program: Program,
    executable: Executable,
    { rows, capacity }: { readonly rows: number; readonly capacity: number },
    binding: Readonly<Record<string, number>>,
  ) {
    this.rows = rows;
    this.#capacity = capacity;
    this.#policy = policy;
    this.#program = program;
    this.#executable = executable;
    this.#binding = binding;
    this.#lengths = new Int32Array(rows);
    const kept = [...program.states.values()].filter(({ name }) => !CHUNK.has(name));
    this.#arena = policy.model.arena(kept, binding, policy.arena);
  }

  /** @param capacity Longest sequence in tokens. */
  static async open(policy: Policy, program: Program, rows: number, capacity: number): Promise<Decoding> {
    const executable = await policy.model.device.compile(program);
    // One extra position, which padding is written to.
    const places = policy.model.columnsFor(capacity) + 1;
    const binding = { [ROWS]: rows, [CAPACITY]: places };
    return new Decoding(policy, program, executable, { rows, capacity }, binding);
  }

  get bytes(): number {
    return this.#arena.bytes;
  }

  /** Number of cached tokens in a row. */
  length(row: number): number {
    return this.#lengths[row] ?? 0;
  }

  /**
   * Appends tokens to rows, and returns the logits after the last token of each: [rows, V]. The logits of
   * rows without new tokens are meaningless.
   * @throws RangeError for rows that grow beyond the capacity.
   */
  async extend(tokens: readonly ArrayLike<number>[]): Promise<Float32Array> {
    const columns = this.#policy.model.columnsFor(Math.max(1, ...tokens.map(({ length }) => length)));
    const ids = new Int32Array(this.rows * columns);
    const counts = new Int32Array(this.rows);
    const capacity = this.#capacity;
    for (let row = 0; row < this.rows; row++) {
      const fresh = tokens[row] ?? [];
      const length = this.length(row) + fresh.length;
      if (length > capacity)
        throw new RangeError(
          `sequence ${row}: found ${length} tokens, allowed ${capacity}; raise max_model_len`,
        );
      ids.set(fresh, row * columns);
      counts[row] = fresh.length;
    }
    const { arena, bound } = this.#chunk(columns);
    arena.write(ACT.ids, ids);
    this.#arena.write(ACT.start, this.#lengths);
    this.#arena.write(ACT.count, counts);
    await bound.run();
    for (let row = 0; row < this.rows; row++) this.#lengths[row] = this.length(row) + (counts[row] ?? 0);
    return (await this.#arena.read(ACT.logits)) as Float32Array; // declared f32
  }

  /** Empties all rows. */
  restart(): void {
    this.#lengths.fill(0);
  }

  #chunk(columns: number): Chunk {
    const known = this.#chunks.get(columns);
    if (known) return known;
    const binding = { ...this.#binding, [COLUMNS]: columns };
    const states = [...this.#program.states.values()];
    const arena = this.#policy.model.arena(states, binding, this.#arena);
    const made = { arena, bound: this.#executable.bind(arena) };
    this.#chunks.set(columns, made);
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

/** Number of caches to keep, for rollouts and evaluations. */
const KEPT = 3;

export class Decodings {
  readonly #policy: Policy;
  #program: Program | null = null;
  readonly #kept = new Map<string, Decoding>();

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** An empty cache for `rows` rows of `capacity` tokens. */
  async open(rows: number, capacity: number): Promise<Decoding> {
    const key = `${rows} ${capacity}`;
    const kept = this.#kept.get(key);
    if (kept) {
      kept.restart();
      return kept;
    }
    for (const [oldest, session] of this.#kept) {
      if (this.#kept.size < KEPT) break;
      session.release();
      this.#kept.delete(oldest);
    }
    this.#program ??= actProgram(this.#policy.model.config, this.#policy.shape.tuning);
    const session = await Decoding.open(this.#policy, this.#program, rows, capacity);
    this.#kept.set(key, session);
    return session;
  }

  release(): void {
    for (const session of this.#kept.values()) session.release();
    this.#kept.clear();
  }
}
