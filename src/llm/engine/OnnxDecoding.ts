/** Sequences that grow in parallel on onnxruntime, whose caches are tensors in host memory. */
import type { SessionTensor } from "../../kernels/onnx/OnnxDevice.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { requireCapacity, sourcesOf } from "./Decoding.ts";
import { cacheNames, DECODE } from "./decodeProgram.ts";

/** Runs a chunk. */
export type RunChunk = (
  inputs: Readonly<Record<string, SessionTensor>>,
) => Promise<ReadonlyMap<string, SessionTensor>>;

/** Position of padding in the cache: after every token. */
const PADDING = 2 ** 30;

/** Upper bound on the scores of a layer in one run: 64 MB. */
const MOST_SCORES = 16 * 2 ** 20;

/** Logits of rows without new tokens. */
const NONE = new Float32Array();

/** The cache of one row while it waits: [kv heads, length, D] for each name. */
interface Parked {
  readonly length: number;
  readonly cache: readonly Float32Array[];
}

/** Rows that run together: their caches, [rows, kv heads, columns, D] for each name. */
interface Batch {
  readonly rows: readonly number[];
  readonly columns: number;
  readonly cache: readonly Float32Array[];
  /** Position of each column's token, or `PADDING`: [rows, columns]. */
  readonly places: Int32Array<ArrayBuffer>;
}

/** Tokens that one run appends to a row. */
interface Fresh {
  readonly row: number;
  readonly ids: readonly number[];
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

export class OnnxDecoding {
  readonly rows: number;
  readonly #capacity: number;
  readonly #config: ModelConfig;
  readonly #run: RunChunk;
  readonly #names: ReturnType<typeof cacheNames>;
  readonly #lengths: Int32Array;
  readonly #parked = new Map<number, Parked>();
  #batch: Batch;

  /** @param capacity Longest sequence in tokens. */
  constructor(config: ModelConfig, run: RunChunk, rows: number, capacity: number) {
    this.rows = rows;
    this.#capacity = capacity;
    this.#config = config;
    this.#run = run;
    this.#names = cacheNames(config);
    this.#lengths = new Int32Array(rows);
    this.#batch = this.#formed([]);
  }

  get bytes(): number {
    const caches = [this.#batch, ...this.#parked.values()].flatMap(({ cache }) => cache);
    return caches.reduce((bytes, values) => bytes + values.byteLength, 0);
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
    const fresh = Array.from({ length: this.rows }, (_, row) => ({
      row,
      ids: Array.from(tokens[row] ?? []),
    }));
    requireCapacity(tokens, this.#lengths, this.#capacity);
    const sources = sourcesOf(tokens, this.#lengths);
    const open = fresh.filter(({ row, ids }) => ids.length > 0 && sources[row] === row);
    const logits = new Map<number, Float32Array>();
    const rows = open.map(({ row }) => row);
    if (!isSame(rows, this.#batch.rows)) {
      this.#park();
      this.#batch = this.#formed(rows);
    }
    const longest = Math.max(0, ...open.map(({ ids }) => ids.length));
    for (let done = 0; done < longest; ) {
      const columns = Math.min(longest - done, this.#columnsOf(rows.length));
      const part = open.map(({ row, ids }) => ({ row, ids: ids.slice(done, done + columns) }));
      const results = await this.#append(part, columns);
      done += columns;
      const size = this.#config.vocab_size;
      for (const [at, { row, ids }] of open.entries())
        if (ids.length > done - columns && ids.length <= done)
          logits.set(row, results.subarray(at * size, (at + 1) * size));
    }
    this.#copy(sources);
    return fresh.map(({ row, ids }) => (ids.length > 0 && logits.get(sources[row] ?? row)) || NONE);
  }

  /** Empties all rows. */
  restart(): void {
    this.#lengths.fill(0);
    this.#parked.clear();
    this.#batch = this.#formed([]);
  }

  release(): void {
    this.restart();
  }

  /** Most tokens of a row in one run: columns (past + columns) scores for each query head. */
  #columnsOf(rows: number): number {
    const past = this.#batch.columns;
    const most = MOST_SCORES / (rows * this.#config.num_heads);
    return Math.max(1, Math.floor((Math.sqrt(past * past + 4 * most) - past) / 2));
  }

  /** Gives rows the cache of their source. */
  #copy(sources: Int32Array): void {
    const copies = [...sources.entries()].filter(([row, source]) => row !== source);
    if (copies.length === 0) return;
    this.#park();
    for (const [row, source] of copies) {
      const cache = this.#parked.get(source);
      if (cache) this.#parked.set(row, cache);
      this.#lengths[row] = this.length(source);
    }
  }

  /** Keeps the caches of the batch's rows one by one, without padding. */
  #park(): void {
    const { rows, columns, cache, places } = this.#batch;
    const { num_key_value_heads: heads, head_dim } = this.#config;
    for (const [at, row] of rows.entries()) {
      const own = places.subarray(at * columns, (at + 1) * columns);
      const kept = [...own.keys()].filter((column) => own[column] !== PADDING);
      const width = kept.length * head_dim;
      const parked = cache.map((values) => {
        const taken = new Float32Array(heads * width);
        for (let head = 0; head < heads; head++) {
          const start = (at * heads + head) * columns;
          for (const [i, column] of kept.entries()) {
            const from = (start + column) * head_dim;
            taken.set(values.subarray(from, from + head_dim), head * width + i * head_dim);
          }
        }
        return taken;
      });
      this.#parked.set(row, { length: kept.length, cache: parked });
    }
    this.#batch = this.#formed([]);
  }

  /** A batch of rows that wait, or are empty. */
  #formed(rows: readonly number[]): Batch {
    const { num_key_value_heads: heads, head_dim } = this.#config;
    const waiting = rows.map((row) => this.#parked.get(row));
    const columns = Math.max(0, ...waiting.map((parked) => parked?.length ?? 0));
    const places = new Int32Array(rows.length * columns).fill(PADDING);
    for (const [at, parked] of waiting.entries())
      for (let i = 0; i < (parked?.length ?? 0); i++) places[at * columns + i] = i;
    const cache = this.#names.map((_, name) => {
      const all = new Float32Array(rows.length * heads * columns * head_dim);
      for (const [at, parked] of waiting.entries()) {
        const values = parked?.cache[name] ?? NONE;
        const width = values.length / heads;
        for (let head = 0; head < heads; head++)
          all.set(
            values.subarray(head * width, (head + 1) * width),
            (at * heads + head) * columns * head_dim,
          );
      }
      return all;
    });
    for (const row of rows) this.#parked.delete(row);
    return { rows, columns, cache, places };
  }

  /** Appends a chunk of tokens to the batch's rows: the logits after the last token of each, [rows, V]. */
  async #append(fresh: readonly Fresh[], columns: number): Promise<Float32Array> {
    const { rows, columns: past, cache, places: before } = this.#batch;
    const { num_key_value_heads: heads, head_dim } = this.#config;
    const total = past + columns;
    const [ids, positions] = [new Int32Array(rows.length * columns), new Int32Array(rows.length * columns)];
    const places = new Int32Array(rows.length * total).fill(PADDING);
    const ends = new Int32Array(rows.length);
    for (const [at, one] of fresh.entries()) {
      const start = this.length(one.row);
      places.set(before.subarray(at * past, (at + 1) * past), at * total);
      ids.set(one.ids, at * columns);
      for (const i of one.ids.keys()) {
        positions[at * columns + i] = start + i;
        places[at * total + past + i] = start + i;
      }
      ends[at] = Math.max(0, one.ids.length - 1);
    }
    const results = await this.#run({
      [DECODE.ids]: { shape: [rows.length, columns], data: ids },
      [DECODE.positions]: { shape: [rows.length, columns], data: positions },
      [DECODE.places]: { shape: [rows.length, total], data: places },
      [DECODE.ends]: { shape: [rows.length], data: ends },
      ...Object.fromEntries(
        this.#names.map(([name], i) => [
          name,
          { shape: [rows.length, heads, past, head_dim], data: cache[i] ?? NONE },
        ]),
      ),
    });
    const result = (name: string): Float32Array => results.get(name)?.data as Float32Array; // all outputs are f32
    this.#batch = { rows, columns: total, cache: this.#names.map(([, name]) => result(name)), places };
    for (const { row, ids: own } of fresh) this.#lengths[row] = this.length(row) + own.length;
    return result(DECODE.logits);
  }
}
