/**
 * A replay buffer that returns multi-step transitions (Sutton 1988; Hessel et al. 2018, multi-step learning).
 */

import type { AgentSpaces } from "../../rl/spaces.ts";
import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { flags } from "./experienceRows.ts";
import type { ExperienceBatch, Experiences } from "./experiences.ts";
import { type DrawOptions, ReplayBuffer, type ReplayBufferOptions } from "./ReplayBuffer.ts";
import { fromStoredArrays, type StoredArrays } from "./replayArrays.ts";
import { eachField, type ReplayRows, withMasks, zerosLike } from "./replayRows.ts";

export interface MultiStepReplayBufferOptions extends ReplayBufferOptions {
  /** Number of steps that a transition spans, unless its episode ends earlier (default: 3). */
  readonly n_step?: number;
  /** Discount factor of rewards, 0 to 1 (default: 0.99). */
  readonly gamma?: number;
}

/** One vector step: one transition per lane. */
export interface VectorTransitions extends Experiences {
  /** Whether an episode was cut off without a terminal state, as by a time limit (default: false). */
  readonly truncated?: boolean | number | ArrayLike<number | boolean>;
}

/** Multi-step transitions: rewards are discounted sums; `next_obs` and `done` are those of the last step. */
export interface MultiStepBatch extends ExperienceBatch {
  /** gamma to the power of the number of steps of each transition: the factor on the value of `next_obs`. */
  readonly discount: Float32Array;
}

const NAMES: OptionNames<MultiStepReplayBufferOptions> = {
  max_size: true,
  device: true,
  n_step: true,
  gamma: true,
};

/** Name of the array that a file has besides those of a ReplayBuffer. */
const SETTINGS = "multi_step";

/**
 * Stores single steps, and combines the steps of each lane when transitions are read. A terminal or truncated
 * step ends its transition. The newest n_step - 1 vector steps of a segment wait in a window until their
 * returns are complete.
 *
 * @example
 * ```ts
 * const memory = new MultiStepReplayBuffer({ max_size: 100_000, n_step: 3, gamma: 0.99 });
 * ```
 */
export class MultiStepReplayBuffer extends ReplayBuffer {
  readonly n_step: number;
  readonly gamma: number;
  /** Number of transitions in each vector step; null before the first step. */
  #lanes: number | null = null;
  #windows = new Map<number, ReplayRows[]>();

  /**
   * @throws TypeError when an option is unknown.
   * @throws RangeError unless max_size and n_step are positive integers and gamma is from 0 to 1.
   */
  constructor(options: MultiStepReplayBufferOptions, ...positional: never[]) {
    const example = "{ max_size: 100_000, n_step: 3 }";
    checkNames("MultiStepReplayBuffer", options, NAMES, { example, positional });
    const { n_step = 3, gamma = 0.99, ...rest } = options;
    super(rest);
    if (!Number.isSafeInteger(n_step) || n_step < 1)
      throw new RangeError(`MultiStepReplayBuffer.n_step: found ${n_step}, allowed positive integers`);
    if (!(gamma >= 0 && gamma <= 1))
      throw new RangeError(`MultiStepReplayBuffer.gamma: found ${gamma}, allowed 0 to 1`);
    this.n_step = n_step;
    this.gamma = gamma;
  }

  /**
   * Adds a vector step: one transition per lane, always in the same order.
   * @returns the step that left the window, n_step - 1 steps old, for a single-step replay buffer that is
   * kept in sync;   null while the window fills.
   * @throws RangeError naming the field that does not fit, or when the number of lanes changes within a window.
   */
  override add(
    transitions: VectorTransitions,
    { slot = 0 }: { readonly slot?: number } = {},
  ): ExperienceBatch | null {
    const { count, rows } = this.rowsFor(transitions, slot);
    const truncated = flags("truncated", transitions.truncated ?? new Uint8Array(count), count);
    if (count > this.segment) {
      throw new RangeError(
        `MultiStepReplayBuffer.add: found ${count} lanes, allowed up to ${this.segment} (a segment of the buffer)`,
      );
    }
    this.useLanes(count);
    const ended = rows.done.map((done, lane) => Math.max(done, truncated[lane] as number));
    const window = this.#window(slot);
    // Copies, because callers may reuse the same arrays in the next step.
    window.push(eachField((field) => (field === "ended" ? ended : rows[field].slice())));
    return window.length < this.n_step ? null : this.batchOf(this.#enter(slot, window));
  }

  /**
   * Ends a segment's window: its steps enter the buffer, and their transitions span only the steps up to
   * here. Call it before you reset environments in the middle of an episode, or switch to other environments.
   * @returns the single steps that left the window, in order; null if it was empty.
   */
  flush({ slot = 0 }: { readonly slot?: number } = {}): ExperienceBatch | null {
    const window = this.#window(slot);
    const last = window.at(-1);
    if (!last) return null;
    last.ended.fill(1);
    const parts: ReplayRows[] = [];
    while (window.length > 0) parts.push(this.#enter(slot, window));
    return this.batchOf(eachField((field) => joined(parts.map((part) => part[field]))));
  }

  /** Like `ReplayBuffer.configure`, after flushing all windows. */
  override configure(layout: AgentSpaces, population = 1): void {
    if (layout.observation_space.kind === "Agents")
      throw new RangeError(
        "MultiStepReplayBuffer: found the spaces of several agents, allowed those of one; use a ReplayBuffer",
      );
    this.#flushAll();
    super.configure(layout, population);
  }

  /**
   * Sets the number of transitions in the following vector steps. If it changes, transitions that the buffer
   * holds end with their first step.
   * @throws RangeError when it changes while a window is not empty.
   */
  useLanes(lanes: number): void {
    if (lanes === this.#lanes) return;
    if ([...this.#windows.values()].some(({ length }) => length > 0)) {
      throw new RangeError(
        `MultiStepReplayBuffer: found ${lanes} lanes, allowed ${this.#lanes} as in the window; call flush() first`,
      );
    }
    if (this.size > 0) for (const { ended } of this.segments) ended.fill(1);
    this.#lanes = lanes;
  }

  protected override get otherFields(): readonly string[] {
    return ["truncated"];
  }

  override sample(batch_size: number, options: DrawOptions = {}): MultiStepBatch {
    return super.sample(batch_size, options) as MultiStepBatch;
  }

  /**
   * The transitions that begin in the given rows of the buffer.
   * @throws RangeError naming a row that holds no transition.
   */
  override transitionsAt(idxs: ArrayLike<number>): MultiStepBatch {
    const first = super.transitionsAt(idxs);
    const segments = this.segments;
    const spans = Array.from(idxs, (row) => this.#span(row, segments));
    const lasts = eachField((field) => joined(spans.map(({ rows, row }) => rowAt(rows, field, row))));
    const { next_obs, done, next_action_mask } = this.batchOf(lasts);
    return {
      ...first,
      ...(next_action_mask && { next_action_mask }),
      reward: Float32Array.from(spans, ({ reward }) => reward),
      next_obs,
      done,
      discount: Float32Array.from(spans, ({ discount }) => discount),
    };
  }

  protected override widened(words: number): void {
    for (const [slot, window] of this.#windows)
      this.#windows.set(
        slot,
        window.map((rows) => withMasks(rows, words)),
      );
  }

  override clear(): void {
    super.clear();
    this.#windows.clear();
  }

  /** The contents as named arrays for a file, after flushing all windows. */
  override toArrays(): StoredArrays {
    this.#flushAll();
    // Stored as f64, two words each.
    const settings = Float64Array.of(this.n_step, this.gamma, this.#lanes ?? 0);
    return { ...super.toArrays(), [SETTINGS]: { shape: [6], data: new Uint32Array(settings.buffer) } };
  }

  static override fromArrays(arrays: StoredArrays): MultiStepReplayBuffer {
    const contents = fromStoredArrays(arrays);
    const settings = arrays[SETTINGS]?.data;
    if (settings?.length !== 6)
      throw new RangeError(
        `replay buffer: array "${SETTINGS}" does not fit; was it a MultiStepReplayBuffer?`,
      );
    const [n_step = 1, gamma = 0, lanes = 0] = new Float64Array(Uint32Array.from(settings).buffer);
    const buffer = new MultiStepReplayBuffer({ max_size: contents.max_size, n_step, gamma });
    buffer.restore(contents);
    buffer.#lanes = lanes || null;
    return buffer;
  }

  #window(slot: number): ReplayRows[] {
    const known = this.#windows.get(slot);
    if (known) return known;
    const made: ReplayRows[] = [];
    this.#windows.set(slot, made);
    return made;
  }

  /** Moves a window's first step into the buffer. */
  #enter(slot: number, window: ReplayRows[]): ReplayRows {
    const first = window.shift() as ReplayRows;
    this.append(slot, first.reward.length, first);
    return first;
  }

  #flushAll(): void {
    for (const slot of this.#windows.keys()) this.flush({ slot });
  }

  /** Return and discount of the transition that begins in a row, and the row of its last step. */
  #span(start: number, segments: readonly ReplayRows[]) {
    const { slot, age } = this.placeOf(start);
    const { position, count } = this.rings[slot] as { position: number; count: number };
    const [ring, window] = [segments[slot] as ReplayRows, this.#windows.get(slot) ?? []];
    const lanes = this.#lanes ?? 1;
    /** The row `place` places after the segment's oldest row; the window's rows follow the ring's. */
    const stepAt = (place: number) =>
      place < count
        ? { rows: ring, row: (position - count + this.segment + place) % this.segment }
        : { rows: window[Math.floor((place - count) / lanes)], row: (place - count) % lanes };
    let { rows, row } = { rows: ring, row: start - slot * this.segment };
    let reward = rows.reward[row] as number;
    let discount = this.gamma;
    for (let k = 1; k < this.n_step && rows.ended[row] === 0; k++) {
      const next = stepAt(age + k * lanes);
      if (!next.rows) break;
      ({ rows, row } = { rows: next.rows, row: next.row });
      reward += discount * (rows.reward[row] as number);
      discount *= this.gamma;
    }
    return { reward, discount, rows, row };
  }
}

/** One row of a field. */
function rowAt(rows: ReplayRows, field: keyof ReplayRows, row: number) {
  const width = rows[field].length / rows.reward.length;
  return rows[field].subarray(row * width, (row + 1) * width);
}

/** Concatenates arrays of one type. */
function joined<T extends ReplayRows[keyof ReplayRows]>(parts: readonly T[]) {
  const [first] = parts;
  const out = zerosLike(
    first ?? new Float32Array(),
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
