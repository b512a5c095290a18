/** A replay buffer that samples transitions by priority (Schaul et al. 2016, proportional variant). */
import { power } from "../../evolution/members.ts";
import { LEAST_PRIORITY } from "../../rl/programs.ts";
import { checkNames, type OptionNames } from "../../specs/checks.ts";
import type { ExperienceBatch } from "./experiences.ts";
import { type Priorities, PriorityTree } from "./priorities.ts";
import {
  type DrawOptions,
  ReplayBuffer,
  type ReplayBufferOptions,
  type SegmentRange,
} from "./ReplayBuffer.ts";
import { fromStoredArrays, type StoredArrays } from "./replayArrays.ts";
import { type ReplayRows, ringPieces } from "./replayRows.ts";

export interface PrioritizedReplayBufferOptions extends ReplayBufferOptions {
  /** How strongly priorities matter: 0 samples uniformly, 1 in proportion to priorities (default: 0.6). */
  readonly alpha?: number;
}

export interface PrioritizedDrawOptions extends DrawOptions {
  /** How far importance weights correct for non-uniform sampling: 0 not at all, 1 fully (default: 0.4). */
  readonly beta?: number;
}

export interface PrioritizedBatch extends ExperienceBatch {
  /** Importance weights (N P)^-beta divided by their largest value in the buffer, each in (0, 1]. */
  readonly weights: Float32Array;
  /** Rows of the buffer, for `updatePriorities`. */
  readonly idxs: Int32Array;
}

const OPTIONS: OptionNames<PrioritizedReplayBufferOptions> = { max_size: true, device: true, alpha: true };

/** Names of the arrays that a file has besides those of a ReplayBuffer. */
const LEAVES = "priorities";
const SCALARS = "priority";

/**
 * Samples transition i with P(i) = p_i^alpha / sum p^alpha. A new transition gets the largest priority so
 * far, which is
 * 1 at first. So do transitions that `configure` redistributes.
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
   * @throws TypeError when an option is unknown.
   * @throws RangeError unless max_size is a positive integer and alpha is from 0 to 1.
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
   * Samples a batch: one transition from each of batch_size equal parts of the priorities' sum.
   * @throws RangeError when the buffer is empty, batch_size is not a positive integer, or beta is negative or
   * not finite.
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
    // N and the sum cancel in the quotient with the largest weight, which belongs to the smallest priority.
    const weights = Float32Array.from(idxs, (row) => power(this.#tree.get(row) / least, -beta));
    return { ...this.transitionsAt(idxs), weights, idxs };
  }

  /**
   * Sets the priorities of sampled rows, for example to those that `RainbowDQN.learn` returns.
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

  /** p^alpha of each row, 0 for empty rows, and the largest p so far. */
  get priorities(): Priorities {
    const leaves = Float32Array.from({ length: this.#tree.size }, (_, row) => this.#tree.get(row));
    return { leaves, largest: this.#largest };
  }

  /** Restores priorities that `priorities` returned; rows with priority 0 get the largest. */
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
      // Both stored as f64, two words each.
      [SCALARS]: { shape: [4], data: new Uint32Array(Float64Array.of(this.alpha, largest).buffer) },
    };
  }

  static override fromArrays(arrays: StoredArrays): PrioritizedReplayBuffer {
    const contents = fromStoredArrays(arrays);
    const [leaves, scalars] = [arrays[LEAVES]?.data, arrays[SCALARS]?.data];
    if (!(leaves instanceof Float32Array) || scalars?.length !== 4) {
      throw new RangeError(
        `replay buffer: arrays "${LEAVES}" and "${SCALARS}" do not fit; was it a PrioritizedReplayBuffer?`,
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

  /** Rounds to f32, the format of runs and files. */
  #put(row: number, leaf: number): void {
    this.#tree.set(row, Math.fround(leaf));
  }

  /** p^alpha of a new transition. */
  get #newest(): number {
    return power(this.#largest, this.alpha);
  }
}
