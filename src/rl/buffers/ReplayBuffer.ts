/** A memory of transitions on the host: what callers fill by hand, and what a run's memory is kept in. */
import { Random } from "../../evolution/random.ts";
import { entropySeed } from "../../evolution/seed.ts";
import { machineMemory, memoryNeed } from "../../kernels/machineMemory.ts";
import { checkNames, type OptionNames } from "../../specs/checkOptions.ts";
import type { ReplayFieldName } from "../programs/replayFields.ts";
import { rowWords } from "../programs/rowLayout.ts";
import { eachField, emptyRows, type ReplayArray, type ReplayRows, zerosLike } from "../runtime/replayRows.ts";
import type { Segment } from "../runtime/replaySegments.ts";
import { advance, ringPieces } from "../runtime/replaySegments.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { numberRows, storedRows } from "./experienceRows.ts";
import {
  type ExperienceBatch,
  type Experiences,
  fieldsOf,
  type RowWidths,
  rowWidths,
  sameWidths,
} from "./experiences.ts";
import { fromStoredArrays, type ReplayContents, type StoredArrays, toStoredArrays } from "./replayArrays.ts";
import { requireSameTeam, type TeamExperiences, type TeamShare, teamShares } from "./teamExperiences.ts";
import { transitionRows } from "./transitionRows.ts";

export interface ReplayBufferOptions {
  /** Transitions that it holds at most, of the whole population. */
  readonly max_size: number;
  /** "cpu" or "wasm"; the memory of a host's buffer is the thread's own either way. */
  readonly device?: "cpu" | "wasm";
}

export interface DrawOptions {
  readonly seed?: number;
  readonly random?: Random;
}

const WORD_BYTES = 4;
const NAMES: OptionNames<ReplayBufferOptions> = { max_size: true, device: true };

/** Rows of a segment, from `start` on around its ring. */
export interface SegmentRange {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
}

/**
 * Keeps the last transitions of each member in a segment of its own, a ring of floor(max_size / population)
 * rows. One segment unless `configure` says otherwise.
 *
 * @example
 * ```ts
 * const memory = new ReplayBuffer({ max_size: 100_000 });
 * ```
 */
export class ReplayBuffer {
  readonly max_size: number;
  #population = 1;
  #segment: number;
  #widths: RowWidths | null = null;
  /** What of a row is whose, of several agents; null of a single one, undefined where a file did not say. */
  #team: readonly TeamShare[] | null | undefined = null;
  #rows: ReplayRows | null = null;
  #rings: Segment[] = [{ position: 0, count: 0 }];
  #counter = 0;
  #random: Random | null = null;

  /**
   * @throws TypeError for options that are unknown; RangeError unless max_size is a positive integer, and for another
   *   device.
   */
  constructor(options: ReplayBufferOptions, ...positional: never[]) {
    checkNames("ReplayBuffer", options, NAMES, { example: "{ max_size: 100_000 }", positional });
    const { max_size, device = "cpu" } = options;
    if (!Number.isSafeInteger(max_size) || max_size < 1)
      throw new RangeError(`ReplayBuffer.max_size: found ${max_size}, allowed positive integers`);
    if (device !== "cpu" && device !== "wasm")
      throw new RangeError(`ReplayBuffer.device: found "${device}", allowed "cpu" or its alias "wasm"`);
    this.max_size = max_size;
    this.#segment = max_size;
  }

  /**
   * Says what a row is and how many members share the memory. Transitions that it holds are dealt out to the
   * members in blocks, oldest first; where they are more than fit, the oldest go. Observations become bytes, or numbers,
   * where they were kept otherwise.
   * @throws RangeError when it holds transitions of another kind, or has less than a row for each member.
   */
  configure(layout: AgentSpaces, population = 1): void {
    const widths = rowWidths(layout);
    const team = teamShares(layout);
    if (!Number.isInteger(population) || population < 1)
      throw new RangeError(`ReplayBuffer population: found ${population}, allowed positive integers`);
    const segment = Math.floor(this.max_size / population);
    if (segment < 1) {
      throw new RangeError(
        `ReplayBuffer.max_size: found ${this.max_size}, allowed at least one transition for each of ${population} members`,
      );
    }
    if (this.size > 0) {
      requireSameTeam(this.size, this.#team, team);
      this.#keepBytesOf(widths);
    }
    const same = this.#widths !== null && sameWidths(this.#widths, widths);
    if (this.size > 0 && !same) {
      const masks = this.#widths?.mask !== widths.mask ? ", or of other choices that were legal" : "";
      throw new RangeError(
        `ReplayBuffer: it holds ${this.size} transitions of other observations or actions${masks}; call clear() first`,
      );
    }
    this.#team = team;
    if (same && population === this.#population) return;
    const held = this.size > 0 ? this.#inOrder() : null;
    this.#population = population;
    this.#segment = segment;
    this.#allocate(widths);
    if (held) this.#deal(held);
  }

  /** Members that share the memory. */
  get population(): number {
    return this.#population;
  }

  /** Transitions that one segment holds. */
  get segment(): number {
    return this.#segment;
  }

  /** Position and count of every segment's ring. */
  get rings(): readonly Segment[] {
    return this.#rings;
  }

  /** The rows of every segment, whole, as views: writing to them writes to the memory. */
  get segments(): readonly ReplayRows[] {
    return this.#rings.map((_ring, slot) =>
      this.#map((all, width) =>
        all.subarray(slot * this.#segment * width, (slot + 1) * this.#segment * width),
      ),
    );
  }

  /** Transitions held. */
  get size(): number {
    return this.#rings.reduce((sum, { count }) => sum + count, 0);
  }

  /** Transitions added since it was made or cleared. */
  get counter(): number {
    return this.#counter;
  }

  /** Whether every segment is full: the next transition takes the oldest one's place. */
  get isFull(): boolean {
    return this.#rings.every(({ count }) => count === this.#segment);
  }

  /**
   * Adds one transition, or a batch of them in order, to a member's segment. Where `configure` was not
   * called, the first transition says how long observations and actions are. Transitions of several agents are given by
   * agent, or as joint rows where `configure` was called.
   * @throws TypeError naming the field that is missing, unknown or of another kind; RangeError naming the one whose
   *   length or values do not fit, with its agent. The memory is then as it was.
   */
  add(transition: Experiences | TeamExperiences, { slot = 0 }: { readonly slot?: number } = {}): unknown {
    const { count, rows } = this.rowsFor(transition, slot);
    this.append(slot, count, rows);
    return undefined;
  }

  /** Transitions as rows of the memory. */
  protected rowsFor(
    transition: Experiences | TeamExperiences,
    slot: number,
  ): { count: number; rows: ReplayRows } {
    this.#ring(slot);
    const known = { widths: this.#widths, team: this.#team };
    const { count, rows, widths, team } = transitionRows(transition, known, this.otherFields);
    if (!this.#widths) this.#allocate(widths);
    this.#team = team;
    return { count, rows };
  }

  /** Fields that transitions may have beside those of all memories. */
  protected get otherFields(): readonly string[] {
    return [];
  }

  /** Puts rows behind those that a segment holds. */
  protected append(slot: number, count: number, rows: ReplayRows): void {
    const ring = this.#ring(slot);
    // Of more rows than the ring holds, the first would be overwritten at once.
    const skipped = Math.max(0, count - this.#segment);
    const start = (ring.position + skipped) % this.#segment;
    const kept = this.#map((_all, width, field) => rows[field].subarray(skipped * width));
    this.write({ slot, start, count: count - skipped, rows: kept });
    this.setRing(slot, advance(ring, this.#segment, count));
    this.#counter += count;
  }

  /**
   * A batch drawn uniformly, with replacement, from all that it holds. Without `seed` or `random` draws go on
   * from the platform's entropy.
   * @throws RangeError when it is empty or batch_size is no positive integer.
   */
  sample(batch_size: number, options: DrawOptions = {}): ExperienceBatch {
    const random = this.drawing(batch_size, options);
    const { size } = this;
    return this.transitionsAt(Array.from({ length: batch_size }, () => this.#place(random.integer(size))));
  }

  /** The numbers that a draw takes. @throws RangeError when there is nothing to draw from, or not a batch to draw. */
  protected drawing(batch_size: number, { random, seed }: DrawOptions): Random {
    if (!Number.isInteger(batch_size) || batch_size < 1)
      throw new RangeError(`ReplayBuffer.sample batch_size: found ${batch_size}, allowed positive integers`);
    if (this.size === 0)
      throw new RangeError("ReplayBuffer.sample: the memory is empty; add transitions first");
    return random ?? this.#randomFor(seed);
  }

  /**
   * The transitions in rows of the memory, where row r of the segment of slot s is number s * segment + r.
   * @throws RangeError naming a row that holds none.
   */
  transitionsAt(idxs: ArrayLike<number>): ExperienceBatch {
    for (let i = 0; i < idxs.length; i++) this.placeOf(idxs[i] as number);
    const taken = this.#map((all, width) => {
      const out = zerosLike(all, idxs.length * width);
      for (let i = 0; i < idxs.length; i++) {
        const from = (idxs[i] as number) * width;
        out.set(all.subarray(from, from + width), i * width);
      }
      return out;
    });
    return this.batchOf(taken);
  }

  /** Where a row lies: its segment, its place in that, and how many older rows the segment holds.
   * @throws RangeError when it holds no transition. */
  protected placeOf(row: number): { readonly slot: number; readonly place: number; readonly age: number } {
    const slot = Math.floor(row / this.#segment);
    const place = row - slot * this.#segment;
    const { position, count } = this.#rings[slot] ?? { position: 0, count: 0 };
    const age = (place - position + count + this.#segment) % this.#segment;
    if (Number.isInteger(row) && age < count) return { slot, place, age };
    throw new RangeError(`ReplayBuffer: row ${row} holds no transition; it holds ${this.size} of them`);
  }

  /** Rows as numbers. */
  protected batchOf(rows: ReplayRows): ExperienceBatch {
    const { obs, action, reward, next_obs, done } = this.#widths ? numberRows(rows, this.#widths) : rows;
    return { obs, action, reward, next_obs, done } as ExperienceBatch;
  }

  /** Forgets all transitions; layout and segments stay. */
  clear(): void {
    this.#rings = this.#rings.map(() => ({ position: 0, count: 0 }));
    this.#counter = 0;
  }

  /** Copies of rows, as `DeviceReplay.read` gives them. */
  read({ slot, start, count }: SegmentRange): ReplayRows {
    this.#ring(slot);
    return this.#map((all, width) => {
      const out = all.slice(0, count * width);
      for (const [at, from, n] of ringPieces(this.#segment, start, count)) {
        const place = slot * this.#segment + from;
        out.set(all.subarray(place * width, (place + n) * width), at * width);
      }
      return out;
    });
  }

  /** Puts rows where `read` found them; the ring stays as it is (see `setRing`). */
  write({ slot, start, count, rows }: SegmentRange & { readonly rows: ReplayRows }): void {
    this.#ring(slot);
    this.#map((all, width, field) => {
      for (const [at, from, n] of ringPieces(this.#segment, start, count)) {
        const place = slot * this.#segment + from;
        all.set(rows[field].subarray(at * width, (at + n) * width), place * width);
      }
      return all;
    });
  }

  /** Sets where a segment's next transition goes and how many it holds.
   * @throws RangeError for a ring that does not fit the segment. */
  setRing(slot: number, ring: Segment): void {
    this.#ring(slot);
    const { position, count } = ring;
    const fits = (x: number, most: number) => Number.isInteger(x) && x >= 0 && x <= most;
    if (!fits(position, this.#segment - 1) || !fits(count, this.#segment)) {
      throw new RangeError(
        `ReplayBuffer ring ${slot}: found position ${position} and count ${count}, allowed up to ${this.#segment} transitions`,
      );
    }
    this.#rings[slot] = { position, count };
  }

  /** What it holds as named arrays for a file; views where possible. Empty when it never held anything. */
  toArrays(): StoredArrays {
    const { max_size, rings, segments, counter } = this;
    return this.#widths ? toStoredArrays({ max_size, rings, segments, counter, widths: this.#widths }) : {};
  }

  /** The memory that `toArrays` described, with the same bits.
   * @throws RangeError naming the array that is missing or does not fit. */
  static fromArrays(arrays: StoredArrays): ReplayBuffer {
    const contents = fromStoredArrays(arrays);
    const buffer = new ReplayBuffer({ max_size: contents.max_size });
    buffer.restore(contents);
    return buffer;
  }

  /** Takes in what a file holds. */
  protected restore({ rings, segments, counter, widths }: ReplayContents): void {
    this.#population = rings.length;
    this.#segment = Math.floor(this.max_size / rings.length);
    this.#allocate(widths);
    this.#team = undefined;
    segments.forEach((rows, slot) => {
      const ring = rings[slot] as Segment;
      this.write({ slot, start: 0, count: ring.count, rows });
      this.setRing(slot, ring);
    });
    this.#counter = counter;
  }

  /** The memory was cut into segments of empty rows. */
  protected laidOut(): void {}

  #allocate(widths: RowWidths): RowWidths {
    const rows = this.#segment * this.#population;
    this.#requireMemory(fieldsOf(widths));
    this.#widths = widths;
    this.#rings = Array.from({ length: this.#population }, () => ({ position: 0, count: 0 }));
    this.#rows = emptyRows(fieldsOf(widths), rows);
    this.laidOut();
    return widths;
  }

  /** @throws RangeError for more transitions than this machine can hold. */
  #requireMemory(fields: ReturnType<typeof fieldsOf>): void {
    const row = WORD_BYTES * Object.values(fields).reduce((words, field) => words + rowWords(field), 0);
    const most = Math.floor(machineMemory().bytes / row);
    if (this.max_size <= most) return;
    throw new RangeError(
      `ReplayBuffer.max_size: found ${this.max_size}; ${memoryNeed(this.max_size * row)}; allowed for these observations and actions: at most ${most}`,
    );
  }

  /** Keeps the same numbers with other ones of them as bytes, where nothing else differs. */
  #keepBytesOf(widths: RowWidths): void {
    const [rows, known] = [this.#rows, this.#widths];
    if (!rows || !known || sameWidths(known, widths)) return;
    if (!sameWidths({ ...known, bytes: widths.bytes }, widths)) return;
    this.#rows = storedRows(numberRows(rows, known), widths);
    this.#widths = widths;
  }

  /** All transitions, member by member, oldest first. */
  #inOrder(): ReplayRows {
    const segment = this.#segment;
    const parts = this.#rings.map(({ position, count }, slot) =>
      this.read({ slot, start: (position - count + segment) % segment, count }),
    );
    return this.#map((all, width, field) => {
      const out = all.slice(0, this.size * width);
      let at = 0;
      for (const part of parts) {
        out.set(part[field], at);
        at += part[field].length;
      }
      return out;
    });
  }

  #deal(held: ReplayRows): void {
    const total = held.ended.length;
    const each = Math.min(Math.ceil(total / this.#population), this.#segment);
    let from = Math.max(0, total - each * this.#population);
    for (let slot = 0; slot < this.#population; slot++) {
      const count = Math.min(each, total - from);
      const first = from;
      const rows = this.#map((_all, width, field) =>
        held[field].subarray(first * width, (first + count) * width),
      );
      this.write({ slot, start: 0, count, rows });
      this.setRing(slot, advance({ position: 0, count: 0 }, this.#segment, count));
      from += count;
    }
  }

  #ring(slot: number): Segment {
    const ring = this.#rings[slot];
    if (ring) return ring;
    throw new RangeError(`ReplayBuffer slot: found ${slot}, allowed 0 to ${this.#population - 1}`);
  }

  #randomFor(seed: number | undefined): Random {
    if (seed !== undefined) return new Random({ seed, stream: "replay.sample" });
    this.#random ??= new Random({ seed: entropySeed(), stream: "replay.sample" });
    return this.#random;
  }

  /** Row of the whole memory that the `nth` of all transitions held lies in. */
  #place(nth: number): number {
    let left = nth;
    for (const [slot, { count }] of this.#rings.entries()) {
      // Counted by place, not by age: rows 0 .. count - 1 of a ring are those it holds.
      if (left < count) return slot * this.#segment + left;
      left -= count;
    }
    throw new RangeError(`ReplayBuffer: transition ${nth} of ${this.size}`);
  }

  #map(body: (all: ReplayArray, width: number, field: ReplayFieldName) => ReplayArray): ReplayRows {
    const [rows, widths] = [this.#rows, this.#widths];
    if (!rows || !widths)
      throw new RangeError("ReplayBuffer: it has no layout yet; call configure() or add() first");
    const fields = fieldsOf(widths);
    return eachField((field) => body(rows[field], rowWords(fields[field]), field));
  }
}
