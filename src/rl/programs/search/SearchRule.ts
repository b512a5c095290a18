/** How a tree search selects actions, and what it concludes at the root. */
import type { Tensor } from "../../../kernels/index.ts";

/** A node of each lane. Values are those of the player whose turn it is there. */
export interface SearchNode {
  /** What the rule keeps of the node's policy, f32 [n, actions]. */
  readonly prior: Tensor;
  /** How often each action was taken, f32 [n, actions]. */
  readonly visits: Tensor;
  /** Sum of the values that each action led to, f32 [n, actions]. */
  readonly totals: Tensor;
  /** The evaluator's value, f32 [n]. */
  readonly value: Tensor;
}

/** What an evaluator says of positions, for the player whose turn it is. */
export interface Evaluated {
  /** f32 [n, actions]; those of illegal actions count for nothing. */
  readonly logits: Tensor;
  /** Expected return, f32 [n]. */
  readonly value: Tensor;
}

export interface SearchRule {
  /** What is kept of a policy. @param legal 1 for legal actions, f32 [n, actions]. */
  readonly prior: (logits: Tensor, legal: Tensor) => Tensor;
  /** The action that a simulation takes below the root, i32 [n]. */
  readonly select: (node: SearchNode) => Tensor;
  readonly root: {
    /** The same for the root. */
    readonly prior: (logits: Tensor, legal: Tensor) => Tensor;
    /** Values that the selection at the root hands on from one simulation to the next. */
    readonly start: (legal: Tensor) => readonly Tensor[];
    readonly select: (
      node: SearchNode,
      carried: readonly Tensor[],
    ) => { readonly action: Tensor; readonly carried: readonly Tensor[] };
  };
  /** The best action, i32 [n], and an improved policy, f32 [n, actions], after all simulations. */
  readonly conclude: (root: SearchNode) => { readonly action: Tensor; readonly policy: Tensor };
}

/** Stands for minus infinity: finite, so that no difference of two is NaN. */
export const NEVER = -1e9;
