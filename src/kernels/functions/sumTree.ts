/**
 * Priorities in state, with their sums in a tree of three levels. An update of one priority or a proportional
 * draw touches one row per level instead of all priorities (Schaul et al. 2016, appendix B.2.1, whose tree is
 * binary). A node's children form one row, so each level takes a few operations on whole rows.
 */
import type { Dim } from "../dim.ts";
import { mulDims } from "../dim.ts";
import { add, div, minimum, mul, neg, sub } from "../ops/arithmetic.ts";
import { dimValue, iota } from "../ops/indexing.ts";
import { reshape } from "../ops/layout.ts";
import { cast, greater, less, lessEqual, select } from "../ops/logic.ts";
import { cumulativeSum, max, sum, sumAll } from "../ops/reduction.ts";
import { takeRows } from "../ops/rows.ts";
import { state } from "../state.ts";
import type { Tensor } from "../tensor.ts";

/** Smallest number of children, a multiple of 4, with which a tree has a leaf for each of `capacity` (to 2^20) priorities. */
export function fanFor(capacity: number): number {
  let fan = 4;
  while (fan * fan * fan < capacity) fan += 4;
  return fan;
}

/** Smallest positive value along the last axis; infinity if there is none. Untouched buffers hold 0. */
const leastPositive = (x: Tensor): Tensor =>
  neg(max(neg(select(greater(x, 0), x, Number.POSITIVE_INFINITY))));

/** Priorities 0 .. fan^3 - 1 in the buffers `NAME.*`. They start at 0, and priority 0 is never drawn. */
export class SumTree {
  readonly #fan: Dim;
  readonly #name: string;

  /** `fan`: children of a node, a number or symbol; see `fanFor`. */
  constructor(name: string, fan: Dim) {
    this.#name = name;
    this.#fan = fan;
  }

  #level(kind: "leaf" | "sum" | "least", depth: 1 | 2 | 3) {
    return state(`${this.#name}.${kind}${depth}`, [mulDims(...Array<Dim>(depth).fill(this.#fan))]);
  }

  /** Children of all nodes at a depth, [nodes, fan]. */
  #rows(kind: "leaf" | "sum" | "least", depth: 2 | 3): Tensor {
    const level = this.#level(kind, depth);
    return reshape(level.read(), [mulDims(...Array<Dim>(depth - 1).fill(this.#fan)), this.#fan]);
  }

  /** The parent of each node. */
  #above(nodes: Tensor): Tensor {
    const fan = dimValue(this.#fan, "f32");
    // Adding half a node keeps the quotient of up to 2^20 nodes away from integers, however it is rounded.
    return cast(div(add(cast(nodes, "f32"), 0.5), fan), "i32");
  }

  /** Priorities of some leaves: i32[n] -> [n]. */
  read(index: Tensor): Tensor {
    return takeRows(this.#level("leaf", 3).read(), index);
  }

  /** Replaces the priorities (>= 0) of some leaves: i32[n], [n]; the last of equal indices wins. */
  write(index: Tensor, priorities: Tensor): void {
    this.#level("leaf", 3).writeRows(index, priorities);
    const middle = this.#above(index);
    const leaves = takeRows(this.#rows("leaf", 3), middle);
    this.#level("sum", 2).writeRows(middle, sum(leaves));
    this.#level("least", 2).writeRows(middle, leastPositive(leaves));
    const top = this.#above(middle);
    this.#level("sum", 1).writeRows(top, sum(takeRows(this.#rows("sum", 2), top)));
    this.#level("least", 1).writeRows(top, leastPositive(takeRows(this.#rows("least", 2), top)));
  }

  /** Recomputes all nodes from the leaves (`NAME.leaf3`) after the host wrote them. */
  gather(): void {
    const leaves = this.#rows("leaf", 3);
    this.#level("sum", 2).write(sum(leaves));
    this.#level("least", 2).write(leastPositive(leaves));
    this.#level("sum", 1).write(sum(this.#rows("sum", 2)));
    this.#level("least", 1).write(leastPositive(this.#rows("least", 2)));
  }

  /** Sum of all priorities, a scalar. */
  total(): Tensor {
    return sumAll(this.#level("sum", 1).read());
  }

  /** Smallest positive priority, a scalar; infinity when there is none. */
  least(): Tensor {
    return leastPositive(this.#level("least", 1).read());
  }

  /**
   * The leaves whose shares of the total contain the masses [n] in [0, total): i32 [n]. If any priority is
   * positive, so is that of every leaf found, even where rounding carries a mass beyond the end.
   */
  find(mass: Tensor): Tensor {
    const [n] = mass.shape as [Dim];
    const top = descend(reshape(this.#level("sum", 1).read(), [1, this.#fan]), mass);
    const fan = dimValue(this.#fan, "i32");
    const second = descend(takeRows(this.#rows("sum", 2), top.child), top.rest);
    const middle = add(mul(top.child, fan), second.child);
    const third = descend(takeRows(this.#rows("leaf", 3), middle), second.rest);
    return reshape(add(mul(middle, fan), third.child), [n]);
  }

  /** Draws one leaf from each of n equal parts of the total, given uniform numbers [n] in [0, 1): i32 [n]. */
  findStratified(uniform: Tensor): Tensor {
    const [n] = uniform.shape as [Dim];
    const part = div(this.total(), dimValue(n));
    return this.find(mul(add(uniform, cast(iota(n), "f32")), part));
  }
}

/** The child of its row [n or 1, fan] that each mass [n] falls into, and the mass left within that child. */
function descend(row: Tensor, mass: Tensor): { child: Tensor; rest: Tensor } {
  const [n] = mass.shape as [Dim];
  const upTo = cumulativeSum(row);
  const column = reshape(mass, [n, 1]);
  const count = (condition: Tensor) => cast(sum(cast(condition, "f32")), "i32");
  // A mass beyond the last sum belongs to the last child with a positive value.
  const child = minimum(count(lessEqual(upTo, column)), count(less(upTo, max(upTo, -1, true))));
  const isBefore = less(iota(row.shape[1] as Dim), reshape(child, [n, 1]));
  return { child, rest: sub(mass, max(select(isBefore, upTo, 0))) };
}
