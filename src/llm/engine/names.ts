/** Names of the buffers and symbols shared by a language model's programs and the host. */
import { type Dim, mulDims, sym } from "../../kernels/index.ts";

/** Samples in a micro-batch, of one or two rows each. */
export const SAMPLES = "samples";
/** S: tokens of a sequence that have a next token. */
export const COLUMNS = "columns";
/** K: upper bound on the turns of a sequence. */
export const TURNS = "turns";
/** Rows that generate in parallel. */
export const ROWS = "rows";
/** Copies of an adapter that generate side by side. */
export const COPIES = "copies";
/** Positions in a key-value cache, including one for padding. */
export const CAPACITY = "capacity";
/** Positions in the tables of the rotary embedding. */
export const POSITIONS = "positions";
/** Parts of a micro-batch's tokens whose logits are in memory at once, and their size. */
export const PARTS = { count: "parts", tokens: "part_tokens" } as const;

/** Rows and columns of a micro-batch. */
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
/** A number of an algorithm or its optimisers. */
export const scalarName = (name: string): string => `scalar.${name}`;
/** A result that is read by the host. */
export const resultName = (name: string): string => `out.${name}`;
/** A micro-batch's share of what is counted in an optimiser step. */
export const shareName = (count: string): string => `share.${count}`;
/** Sum of the gradients of a step's micro-batches so far, of a role's own weight. */
export const sumName = (name: string): string => `gradients.${name}`;
/** 1 if the sum has micro-batches already, 0 if it begins anew. */
export const HAS_SUM = "gradients_begun";
/** Gradient of a role's own weight. */
export const gradientName = (name: string): string => `gradient.${name}`;

/** Weights of the value head in the critic: Linear(H, 1). */
export const VALUE_HEAD = { weight: "value_head.weight", bias: "value_head.bias" } as const;

/** Optimisers by the role whose weights they update. */
export const OPTIMIZERS = { actor: "actor_optimizer", critic: "critic_optimizer" } as const;

/** States of the program that reads tokens during generation. */
export const ACT = {
  ids: "act.ids",
  start: "act.start",
  count: "act.count",
  copy: "act.copy",
  logits: "act.logits",
} as const;

/** Cached keys or values of a layer. */
export const cacheName = (kind: "keys" | "values", layer: number): string => `cache.${kind}.${layer}`;
export const isCache = (name: string): boolean => name.startsWith("cache.");
