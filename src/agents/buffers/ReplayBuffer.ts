/** A replay buffer on the host, which callers fill by hand and which stores the replay buffer of a run. */

import { entropySeed, Random } from "../../evolution/random.ts";
import { machineMemory, memoryNeed } from "../../kernels/machineMemory.ts";
import { type ReplayFieldName, rowWords } from "../../rl/programs.ts";
import { type AgentSpaces, choicesOf, type Space } from "../../rl/spaces.ts";
import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { apart, choicesIn, numberRows, storedRows, transitionRows } from "./experienceRows.ts";
import {
  type ExperienceBatch,
  type Experiences,
  fieldsOf,
  type RowWidths,
  rowWidths,
  sameWidths,
  withFlatObservations,
} from "./experiences.ts";
import { fromStoredArrays, type ReplayContents, type StoredArrays, toStoredArrays } from "./replayArrays.ts";
import {
  advance,
  eachField,
  emptyRows,
  type ReplayArray,
  type ReplayRows,
  ringPieces,
  type Segment,
  withMasks,
  zerosLike,
} from "./replayRows.ts";
import {
  isByAgent,
  requireSameTeam,
  type TeamExperiences,
  type TeamShare,
  teamShares,
} from "./teamExperiences.ts";

export interface ReplayBufferOptions {
  /** Maximum number of transitions, over the whole population. */
  readonly max_size: number;
  /** "cpu" or "wasm"; both mean memory of the calling thread (default: "cpu"). */
  readonly device?: "cpu" | "wasm";
}

export interface DrawOptions {
  readonly seed?: number;
  readonly random?: Random;
}

const WORD_BYTES = 4;
const NAMES: OptionNames<ReplayBufferOptions> = { max_size: true, device: true };

/** Consecutive rows of a segment's ring, beginning at `start`. */
export interface SegmentRange {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
}

/**
 * Stores the last transitions of each member in its own segment, a ring of floor(max_size / population) rows.
 * There is one segment unless `configure` sets a population.
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
  /** Each agent's share of a row; null for a single agent, undefined if the buffer was loaded from a file. */
  #team: readonly TeamShare[] | null | undefined = null;
  /** Space of an observation; null before `configure`. */
  #observed: Space | null = null;
  /** Choices of an action; null before `configure`. */
  #choices: number | null = null;
  #rows: ReplayRows | null = null;
  #rings: Segment[] = [{ position: 0, count: 0 }];
  #counter = 0;
  #random: Random | null = null;

  /**
   * @throws TypeError when an option is unknown.
   * @throws RangeError unless max_size is a positive integer, or when the device is unknown.
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
   * Sets the layout of rows and the number of members that share the buffer. Transitions that it holds are
   * distributed to the members in blocks, oldest first; if they do not all fit, the oldest are dropped.
   * Stored observations are converted to bytes or numbers if the new layout requires it. Masks of a single agent stay.
   * @throws RangeError when it holds transitions of another layout, or has less than one row per member.
   */
  configure(layout: AgentSpaces, population = 1): void {
    const team = teamShares(layout);
    const choices = choicesOf(layout.action_space);
    const keepsMasks = team === null && this.size > 0 && this.#widths?.mask === choices;
    const widths = rowWidths(keepsMasks ? { ...layout, masked: true } : layout);
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
      if (team === null && widths.mask > 0 && this.#widths?.mask === 0) this.#keepMasks(widths.mask);
      this.#keepBytesOf(widths);
    }
    const same = this.#widths !== null && sameWidths(this.#widths, widths);
    if (this.size > 0 && !same) {
      const masks = this.#widths?.mask !== widths.mask ? ", or with other action masks" : "";
      throw new RangeError(
        `ReplayBuffer: it holds ${this.size} transitions with another layout of observations or actions${masks}; call clear() first`,
      );
    }
    this.#team = team;
    this.#observed = layout.observation_space;
    this.#choices = choices;
    if (same && population === this.#population) return;
    const held = this.size > 0 ? this.#inOrder() : null;
    this.#population = population;
    this.#segment = segment;
    this.#allocate(widths);
    if (held) this.#deal(held);
  }

  /** Number of members that share the buffer. */
  get population(): number {
    return this.#population;
  }

  /** Maximum number of transitions in one segment. */
  get segment(): number {
    return this.#segment;
  }

  /** Position and count of each segment's ring. */
  get rings(): readonly Segment[] {
    return this.#rings;
  }

  /** All rows of each segment, as views: writing to them changes the buffer. */
  get segments(): readonly ReplayRows[] {
    return this.#rings.map((_ring, slot) =>
      this.#map((all, width) =>
        all.subarray(slot * this.#segment * width, (slot + 1) * this.#segment * width),
      ),
    );
  }

  /** Number of transitions held. */
  get size(): number {
    return this.#rings.reduce((sum, { count }) => sum + count, 0);
  }

  /** Number of transitions added since the buffer was created or cleared. */
  get counter(): number {
    return this.#counter;
  }

  /** Whether rows have the action masks of a single agent, as they do once a transition had one. */
  get masked(): boolean {
    return this.#widths?.agents === 1 && this.#widths.mask > 0;
  }

  /** Whether every segment is full, so that the next transition replaces the oldest. */
  get isFull(): boolean {
    return this.#rings.every(({ count }) => count === this.#segment);
  }

  /**
   * Adds one transition, or several in order, to a member's segment. If `configure` was not called, the first
   * transition determines the sizes of observations and actions. Transitions of several agents are passed by
   * agent, or as joint rows after `configure`, and observations of a Dict or Tuple by their parts likewise. After an error, the buffer is unchanged.
   * @throws TypeError naming the field that is missing, unknown or of the wrong type.
   * @throws RangeError naming the field, and the agent, whose length or values do not fit.
   */
  add(transition: Experiences | TeamExperiences, { slot = 0 }: { readonly slot?: number } = {}): unknown {
    const { count, rows } = this.rowsFor(transition, slot);
    this.append(slot, count, rows);
    return undefined;
  }

  /** Converts transitions to rows of the buffer. */
  protected rowsFor(
    transition: Experiences | TeamExperiences,
    slot: number,
  ): { count: number; rows: ReplayRows } {
    this.#ring(slot);
    const flat = withFlatObservations("experiences.", this.#observed, transition);
    if (!isByAgent(flat) && choicesIn(flat) > 0) this.#keepMasks(this.#choices ?? choicesIn(flat));
    const known = { widths: this.#widths, team: this.#team };
    const { count, rows, widths, team } = transitionRows(flat, known, this.otherFields);
    if (!this.#widths) this.#allocate(widths);
    this.#team = team;
    return { count, rows };
  }

  /** Fields that transitions may have besides those of every replay buffer. */
  protected get otherFields(): readonly string[] {
    return [];
  }

  /** Appends rows to those that a segment holds. */
  protected append(slot: number, count: number, rows: ReplayRows): void {
    const ring = this.#ring(slot);
    // If there are more rows than the ring holds, the first would be overwritten at once.
    const skipped = Math.max(0, count - this.#segment);
    const start = (ring.position + skipped) % this.#segment;
    const kept = this.#map((_all, width, field) => rows[field].subarray(skipped * width));
    this.write({ slot, start, count: count - skipped, rows: kept });
    this.setRing(slot, advance(ring, this.#segment, count));
    this.#counter += count;
  }

  /**
   * Samples a batch uniformly, with replacement, from all transitions. Without `seed` or `random`, the buffer
   * uses its own random numbers, seeded from the platform's entropy.
   * @throws RangeError when the buffer is empty or batch_size is not a positive integer.
   */
  sample(batch_size: number, options: DrawOptions = {}): ExperienceBatch {
    const random = this.drawing(batch_size, options);
    const { size } = this;
    return this.transitionsAt(Array.from({ length: batch_size }, () => this.#place(random.integer(size))));
  }

  /** Random numbers for sampling. @throws RangeError when the buffer is empty or batch_size is invalid. */
  protected drawing(batch_size: number, { random, seed }: DrawOptions): Random {
    if (!Number.isInteger(batch_size) || batch_size < 1)
      throw new RangeError(`ReplayBuffer.sample batch_size: found ${batch_size}, allowed positive integers`);
    if (this.size === 0)
      throw new RangeError("ReplayBuffer.sample: the buffer is empty; add transitions first");
    return random ?? this.#randomFor(seed);
  }

  /**
   * The transitions in the given rows of the buffer. Row r of the segment of slot s has index s * segment +
   * r.
   * @throws RangeError naming a row that holds no transition.
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

  /** Location of a row: its segment, its place in the segment, and how many older rows the segment holds.
   * @throws RangeError when the row holds no transition. */
  protected placeOf(row: number): { readonly slot: number; readonly place: number; readonly age: number } {
    const slot = Math.floor(row / this.#segment);
    const place = row - slot * this.#segment;
    const { position, count } = this.#rings[slot] ?? { position: 0, count: 0 };
    const age = (place - position + count + this.#segment) % this.#segment;
    if (Number.isInteger(row) && age < count) return { slot, place, age };
    throw new RangeError(`ReplayBuffer: row ${row} holds no transition; it holds ${this.size} of them`);
  }

  /** Rows as a batch, with observations unpacked to numbers. */
  protected batchOf(rows: ReplayRows): ExperienceBatch {
    const widths = this.#widths;
    const { obs, action, reward, next_obs, done } = widths ? numberRows(rows, widths) : rows;
    if (!widths || !this.masked) return { obs, action, reward, next_obs, done } as ExperienceBatch;
    const [[seen, action_mask], [next, next_action_mask]] = [apart(obs, widths), apart(next_obs, widths)];
    return {
      obs: seen,
      action,
      reward,
      next_obs: next,
      done,
      action_mask,
      next_action_mask,
    } as ExperienceBatch;
  }

  /** Removes all transitions; layout and segments stay. */
  clear(): void {
    this.#rings = this.#rings.map(() => ({ position: 0, count: 0 }));
    this.#counter = 0;
  }

  /** Returns copies of rows, in the format of `DeviceReplay.read`. */
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

  /** Writes rows at the place where `read` would read them; does not change the ring (see `setRing`). */
  write({ slot, start, count, rows: given }: SegmentRange & { readonly rows: ReplayRows }): void {
    this.#ring(slot);
    const rows = withMasks(given, this.#observationWords);
    this.#map((all, width, field) => {
      for (const [at, from, n] of ringPieces(this.#segment, start, count)) {
        const place = slot * this.#segment + from;
        all.set(rows[field].subarray(at * width, (at + n) * width), place * width);
      }
      return all;
    });
  }

  /** Sets the position of a segment's next transition and how many transitions it holds.
   * @throws RangeError when the ring does not fit the segment. */
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

  /**
   * The contents as named arrays for a file, as views where possible. Empty if the buffer has no layout yet.
   */
  toArrays(): StoredArrays {
    const { max_size, rings, segments, counter } = this;
    return this.#widths ? toStoredArrays({ max_size, rings, segments, counter, widths: this.#widths }) : {};
  }

  /** Restores a buffer from the arrays of `toArrays`, bit for bit.
   * @throws RangeError naming the array that is missing or does not fit. */
  static fromArrays(arrays: StoredArrays): ReplayBuffer {
    const contents = fromStoredArrays(arrays);
    const buffer = new ReplayBuffer({ max_size: contents.max_size });
    buffer.restore(contents);
    return buffer;
  }

  /** Restores the contents of a file. */
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

  /**
   * Makes rows wide enough for observations of `words` words with their masks.
   * @internal
   */
  makeRoom(words: number): void {
    this.#keepMasks(words - this.#observationWords);
  }

  /** Called after rows got masks: observations have `words` words now. */
  protected widened(_words: number): void {}

  /** Adds masks to rows without; transitions that it holds allow every choice. */
  #keepMasks(choices: number): void {
    const widths = this.#widths;
    if (!widths || widths.mask > 0 || !Number.isInteger(choices) || choices <= 0) return;
    this.#widths = { ...widths, observation: widths.observation + choices, mask: choices };
    this.#rows = this.#rows && withMasks(this.#rows, this.#observationWords);
    this.widened(this.#observationWords);
  }

  get #observationWords(): number {
    return this.#widths ? rowWords(fieldsOf(this.#widths).obs) : 0;
  }

  /** Called after the buffer was divided into empty segments. */
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

  /** @throws RangeError when max_size transitions do not fit into this machine's memory. */
  #requireMemory(fields: ReturnType<typeof fieldsOf>): void {
    const row = WORD_BYTES * Object.values(fields).reduce((words, field) => words + rowWords(field), 0);
    const most = Math.floor(machineMemory().bytes / row);
    if (this.max_size <= most) return;
    throw new RangeError(
      `ReplayBuffer.max_size: found ${this.max_size}; ${memoryNeed(this.max_size * row)}; allowed for these observations and actions: at most ${most}`,
    );
  }

  /** Converts stored observations if the new layout differs only in which numbers are bytes. */
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

  /** Row of the `nth` transition held, in the whole buffer. */
  #place(nth: number): number {
    let left = nth;
    for (const [slot, { count }] of this.#rings.entries()) {
      // Counted by place, not by age: a ring holds rows 0 to count - 1.
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
