/** A memory that gives transitions in proportion to their priorities (Schaul et al. 2016, proportional variant). */
import { power } from "../../evolution/portableMath.ts";
import { checkNames, type OptionNames } from "../../specs/checkOptions.ts";
import { LEAST_PRIORITY } from "../programs/priorities.ts";
import type { Priorities } from "../runtime/priorities.ts";
import type { ReplayRows } from "../runtime/replayRows.ts";
import { ringPieces } from "../runtime/replaySegments.ts";
import type { ExperienceBatch } from "./experiences.ts";
import { PriorityTree } from "./PriorityTree.ts";
import {
  type DrawOptions,
  ReplayBuffer,
  type ReplayBufferOptions,
  type SegmentRange,
} from "./ReplayBuffer.ts";
import { fromStoredArrays, type StoredArrays } from "./replayArrays.ts";

export interface PrioritizedReplayBufferOptions extends ReplayBufferOptions {
  /** How strongly priorities matter: 0 draws uniformly, 1 in proportion; 0.6 unless given. */
  readonly alpha?: number;
}

export interface PrioritizedDrawOptions extends DrawOptions {
  /** How far importance weights make up for the draw: 0 not at all, 1 wholly; 0.4 unless given. */
  readonly beta?: number;
}

export interface PrioritizedBatch extends ExperienceBatch {
  /** Importance weights (N P)^-beta over their largest value in the memory, each in (0, 1]. */
  readonly weights: Float32Array;
  /** Rows of the memory, for `updatePriorities`. */
  readonly idxs: Int32Array;
}

const OPTIONS: OptionNames<PrioritizedReplayBufferOptions> = { max_size: true, device: true, alpha: true };

/** Names of the arrays that a file has beside those of a ReplayBuffer. */
const LEAVES = "priorities";
const SCALARS = "priority";

/**
 * Draws transition i with P(i) = p_i^alpha / sum p^alpha. A new transition has the largest priority so far, 1 at
 * first; so have transitions that `configure` deals out anew.
 *
 * @example
 * ```ts
 * const memory = new PrioritizedReplayBuffer({ max_size: 100_000, alpha: 0.6 });
 * ```
 */
export class PrioritizedReplayBuffer extends ReplayBuffer {
  readonly alpha: number;
  #tree = new PriorityTree(0);
  #largest = 1;

  /**
   * @throws TypeError for options that are unknown; RangeError unless max_size is a positive integer and alpha lies in
   *   0 .. 1.
   */
  constructor(options: PrioritizedReplayBufferOptions, ...positional: never[]) {
    const example = "{ max_size: 100_000, alpha: 0.6 }";
    checkNames("PrioritizedReplayBuffer", options, OPTIONS, { example, positional });
    const { alpha = 0.6, ...rest } = options;
    super(rest);
    if (!(alpha >= 0 && alpha <= 1))
      throw new RangeError(`PrioritizedReplayBuffer.alpha: found ${alpha}, allowed 0 to 1`);
    this.alpha = alpha;
  }

  /**
   * A batch with one transition from each of batch_size equal parts of the priorities' sum.
   * @throws RangeError when the memory is empty, batch_size is no positive integer or beta is negative.
   */
  override sample(batch_size: number, options: PrioritizedDrawOptions = {}): PrioritizedBatch {
    const { beta = 0.4 } = options;
    if (!(beta >= 0 && Number.isFinite(beta)))
      throw new RangeError(`PrioritizedReplayBuffer.sample beta: found ${beta}, allowed numbers from 0`);
    const random = this.drawing(batch_size, options);
    const { total, least } = this.#tree;
    const part = total / batch_size;
    const idxs = Int32Array.from({ length: batch_size }, (_, i) =>
      this.#tree.find((i + random.uniform()) * part),
    );
    // N and the sum cancel in the quotient with the largest weight, that of the least priority.
    const weights = Float32Array.from(idxs, (row) => power(this.#tree.get(row) / least, -beta));
    return { ...this.transitionsAt(idxs), weights, idxs };
  }

  /**
   * Gives rows that `sample` drew their new priorities, such as those that `RainbowDQN.learn` returns.
   * @throws RangeError naming a row without a transition, or a priority that is negative or not finite.
   */
  updatePriorities(idxs: ArrayLike<number>, priorities: ArrayLike<number>): void {
    if (idxs.length !== priorities.length) {
      throw new RangeError(
        `updatePriorities: found ${priorities.length} priorities for ${idxs.length} idxs, allowed one for each`,
      );
    }
    for (let i = 0; i < idxs.length; i++) {
      const priority = priorities[i] as number;
      this.placeOf(idxs[i] as number);
      if (!(priority >= 0 && Number.isFinite(priority)))
        throw new RangeError(`updatePriorities priorities[${i}]: found ${priority}, allowed numbers from 0`);
    }
    for (let i = 0; i < idxs.length; i++) {
      const priority = Math.max(priorities[i] as number, LEAST_PRIORITY);
      this.#put(idxs[i] as number, power(priority, this.alpha));
      this.#largest = Math.max(this.#largest, priority);
    }
  }

  /** p^alpha of each row, 0 where none is held, and the largest p so far. */
  get priorities(): Priorities {
    const leaves = Float32Array.from({ length: this.#tree.size }, (_, row) => this.#tree.get(row));
    return { leaves, largest: this.#largest };
  }

  /** Takes over priorities as `priorities` gives them; rows that they leave at 0 get the largest. */
  setPriorities({ leaves, largest }: Priorities): void {
    this.#largest = largest;
    this.laidOut();
    this.rings.forEach(({ count }, slot) => {
      for (let row = slot * this.segment; row < slot * this.segment + count; row++)
        this.#put(row, leaves[row] || this.#newest);
    });
  }

  override write(rows: SegmentRange & { readonly rows: ReplayRows }): void {
    super.write(rows);
    for (const [, from, count] of ringPieces(this.segment, rows.start, rows.count)) {
      const first = rows.slot * this.segment + from;
      for (let row = first; row < first + count; row++) this.#put(row, this.#newest);
    }
  }

  override clear(): void {
    super.clear();
    this.#largest = 1;
    this.laidOut();
  }

  override toArrays(): StoredArrays {
    const { leaves, largest } = this.priorities;
    return {
      ...super.toArrays(),
      [LEAVES]: { shape: [leaves.length], data: leaves },
      // Both as f64, two words each.
      [SCALARS]: { shape: [4], data: new Uint32Array(Float64Array.of(this.alpha, largest).buffer) },
    };
  }

  static override fromArrays(arrays: StoredArrays): PrioritizedReplayBuffer {
    const contents = fromStoredArrays(arrays);
    const [leaves, scalars] = [arrays[LEAVES]?.data, arrays[SCALARS]?.data];
    if (!(leaves instanceof Float32Array) || scalars?.length !== 4) {
      throw new RangeError(
        `replay memory: arrays "${LEAVES}" and "${SCALARS}" do not fit; was it a PrioritizedReplayBuffer?`,
      );
    }
    const [alpha = 0, largest = 1] = new Float64Array(Uint32Array.from(scalars).buffer);
    const buffer = new PrioritizedReplayBuffer({ max_size: contents.max_size, alpha });
    buffer.restore(contents);
    buffer.setPriorities({ leaves, largest });
    return buffer;
  }

  protected override laidOut(): void {
    this.#tree = new PriorityTree(this.segment * this.population);
  }

  /** In f32, as runs and files keep them. */
  #put(row: number, leaf: number): void {
    this.#tree.set(row, Math.fround(leaf));
  }

  /** p^alpha of a new transition. */
  get #newest(): number {
    return power(this.#largest, this.alpha);
  }
}
