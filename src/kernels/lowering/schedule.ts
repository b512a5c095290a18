/** Steps of a lowered program: what runs, in which order, on which memory. */
import type { Dim, Shape } from "../dim.ts";
import type { Tensor } from "../tensor.ts";

/** A buffer: a named state, or a temporary placed when a program is bound to a member. */
export type Memory =
  | { readonly kind: "state"; readonly name: string }
  | { readonly kind: "temp"; readonly words: Dim };

/** An address: a buffer, and for stacked values the rows of the enclosing loops. */
export interface Location {
  readonly memory: Memory;
  readonly offsets: readonly { readonly loop: LoopStep; readonly words: Dim }[];
}

export const at = (memory: Memory): Location => ({ memory, offsets: [] });

export const sameLocation = (a: Location, b: Location): boolean =>
  a === b || (a.memory === b.memory && a.offsets.length === 0 && b.offsets.length === 0);

/** A matrix that a target may copy to faster memory before a loop that leaves it unchanged. */
export interface Staged {
  readonly location: Location;
  readonly rows: Dim;
  readonly columns: Dim;
}

export type StepArg =
  | { readonly location: Location }
  | { readonly dim: Dim }
  /** Address of the copy. */
  | { readonly staged: Staged };

/** A call of a kernel. */
export interface KernelStep {
  readonly kind: "kernel";
  readonly func: number;
  readonly args: readonly StepArg[];
}

/** Element-wise operations over one iteration space, and reductions of its last axis. */
export interface GroupStep {
  readonly kind: "group";
  readonly space: Shape;
  readonly nodes: Tensor[];
  readonly stores: { readonly value: Tensor; readonly to: Location }[];
  readonly reductions: { readonly node: Tensor; readonly to: Location }[];
  /** Values from outside, filled in as nodes join. */
  readonly operands: Map<Tensor, Location>;
}

/** A reduction of an axis that is not the last, with the chain that feeds it. */
export interface ColumnStep {
  readonly kind: "column";
  readonly node: Tensor;
  readonly chain: readonly Tensor[];
  readonly operands: ReadonlyMap<Tensor, Location>;
  readonly to: Location;
}

export interface CopyStep {
  readonly kind: "copy";
  readonly to: Location;
  readonly from: Location;
  readonly words: Dim;
}

export interface LoopStep {
  readonly kind: "loop";
  readonly count: { readonly dim: Dim } | { readonly location: Location };
  readonly reverse: boolean;
  /** Where the iteration number is stored; null if it is never read. */
  t: Location | null;
  until: Location | null;
  /** Memory that keeps its contents from one iteration to the next. */
  held: Location[];
  /** Matrices that its steps would read from faster memory. */
  readonly staged: Staged[];
  body: Step[];
}

export type Step = KernelStep | GroupStep | ColumnStep | CopyStep | LoopStep;
