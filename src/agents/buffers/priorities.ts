/** Priorities on the host: a member's, kept between turns, and the tree that a buffer samples from. */
import { power } from "../../evolution/members.ts";
import { ringPieces, type Segment, type Visible } from "./replayRows.ts";

/** A member's priorities for the rows of the replay buffer. */
export interface Priorities {
  /** priority^alpha by row; 0 for rows whose current transition the member has not seen. */
  readonly leaves: Float32Array;
  /** Largest priority so far. */
  readonly largest: number;
}

/** Priorities of a turn, with the values that sampling uses. */
export interface TurnPriorities extends Priorities {
  /** Exponent of the priorities. */
  readonly alpha: number;
  /** Fraction of the run completed at the turn's start, and fraction per vector step. */
  readonly progress: number;
  readonly progress_step: number;
}

/** Priorities of a member that has seen no transitions. */
export const noPriorities = (rows: number): Priorities => ({ leaves: new Float32Array(rows), largest: 1 });

interface Rows {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
}

function eachRow({ slot, start, count }: Rows, segment: number, body: (from: number, to: number) => void) {
  for (const [, at, n] of ringPieces(segment, start, count))
    body(slot * segment + at, slot * segment + at + n);
}

/** A copy with priority 0 for rows whose transitions were replaced. */
export function forgetRows(priorities: Priorities, rows: readonly Rows[], segment: number): Priorities {
  const leaves = priorities.leaves.slice();
  for (const part of rows) eachRow(part, segment, (from, to) => void leaves.fill(0, from, to));
  return { ...priorities, leaves };
}

/**
 * The priorities of the rows that a member sees in a turn: 0 for rows out of sight, the largest so far for
 * rows new to it.
 * @internal
 */
export function visiblePriorities(
  { leaves, largest }: Priorities,
  alpha: number,
  view: { readonly slot: number; readonly ring: Segment; readonly visible: readonly Visible[] },
  segment: number,
): Priorities {
  const seen = new Float32Array(leaves.length);
  const welcome = power(largest, alpha);
  view.visible.forEach(({ start, length }, slot) => {
    const { position, count } = view.ring;
    const rows =
      slot === view.slot
        ? { slot, start: (position - count + segment) % segment, count }
        : { slot, start, count: length };
    eachRow(rows, segment, (from, to) => {
      for (let row = from; row < to; row++) seen[row] = leaves[row] || welcome;
    });
  });
  return { leaves: seen, largest };
}

/** Priorities with their sums in a binary tree (Schaul et al. 2016, appendix B.2.1), in f64. @internal */
export class PriorityTree {
  /** Number of leaves that were requested; the tree may have more. */
  readonly size: number;
  /** Node 1 is the root, the children of node n are 2 n and 2 n + 1, and the leaves are the second half. */
  readonly #sums: Float64Array;
  readonly #least: Float64Array;

  constructor(size: number) {
    this.size = size;
    let leaves = 1;
    while (leaves < size) leaves *= 2;
    this.#sums = new Float64Array(2 * leaves);
    this.#least = new Float64Array(2 * leaves).fill(Number.POSITIVE_INFINITY);
  }

  /** Sum of all priorities. */
  get total(): number {
    return this.#sums[1] as number;
  }

  /** Smallest positive priority; Infinity if there is none. */
  get least(): number {
    return this.#least[1] as number;
  }

  get(leaf: number): number {
    return this.#sums[this.#node(leaf)] as number;
  }

  /** Sets the priority (>= 0) of a leaf. `find` never returns a leaf with priority 0. */
  set(leaf: number, priority: number): void {
    let node = this.#node(leaf);
    this.#sums[node] = priority;
    this.#least[node] = priority > 0 ? priority : Number.POSITIVE_INFINITY;
    for (node = Math.floor(node / 2); node >= 1; node = Math.floor(node / 2)) {
      const [left, right] = [2 * node, 2 * node + 1];
      this.#sums[node] = (this.#sums[left] as number) + (this.#sums[right] as number);
      this.#least[node] = Math.min(this.#least[left] as number, this.#least[right] as number);
    }
  }

  /** The leaf whose share of the total contains `mass`, in [0, total); its priority is always positive. */
  find(mass: number): number {
    const half = this.#sums.length / 2;
    let node = 1;
    let rest = mass;
    while (node < half) {
      const left = this.#sums[2 * node] as number;
      // Rounding may move the mass to a subtree with sum 0.
      const goesRight = rest >= left && (this.#sums[2 * node + 1] as number) > 0;
      node = 2 * node + Number(goesRight);
      if (goesRight) rest -= left;
    }
    return node - half;
  }

  /** Index of a leaf's node. */
  #node(leaf: number): number {
    return this.#sums.length / 2 + leaf;
  }
}
