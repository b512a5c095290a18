/** Names of the buffers and symbols that a language model's programs share with their host. */
import { type Dim, mulDims, sym } from "../../kernels/index.ts";

/** Samples of a micro-batch, of one row or two. */
export const SAMPLES = "samples";
/** S: tokens of a sequence that another one follows. */
export const COLUMNS = "columns";
/** K: most turns of a sequence. */
export const TURNS = "turns";
/** Rows that generate side by side. */
export const ROWS = "rows";
/** Positions that a cache of keys and values has, and one that padding is written to. */
export const CAPACITY = "capacity";
/** Positions that the tables of the rotary embedding have. */
export const POSITIONS = "positions";

/** Shape of a micro-batch's rows and columns. */
export const batchDims = (rows_per_sample: number): { readonly rows: Dim; readonly columns: Dim } => ({
  rows: mulDims(rows_per_sample, sym(SAMPLES)),
  columns: sym(COLUMNS),
});

/** Sequences of a micro-batch. */
export const BATCH = {
  ids: "batch.input_ids",
  targets: "batch.targets",
  positions: "batch.positions",
  mask: "batch.attention_mask",
  row_weight: "batch.row_weight",
} as const;

/** An input of an algorithm's loss. */
export const inputName = (name: string): string => `input.${name}`;
/** A number of an algorithm's, or of its optimisers. */
export const scalarName = (name: string): string => `scalar.${name}`;
/** A result that the host reads. */
export const resultName = (name: string): string => `out.${name}`;
/** Gradient of a weight of a role's own. */
export const gradientName = (name: string): string => `gradient.${name}`;

/** Layers of the value head, under the critic's role: Linear(H, 1). */
export const VALUE_HEAD = { weight: "value_head.weight", bias: "value_head.bias" } as const;

/** Optimisers, by the role whose weights they move. */
export const OPTIMIZERS = { actor: "actor_optimizer", critic: "critic_optimizer" } as const;

/** Tokens that a policy reads while it generates. */
export const ACT = { ids: "act.ids", start: "act.start", count: "act.count", logits: "act.logits" } as const;

/** Keys or values of a layer. */
export const cacheName = (kind: "keys" | "values", layer: number): string => `cache.${kind}.${layer}`;
