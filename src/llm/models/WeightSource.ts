/** Weights of a model in a program: the base with an optional adapter, or a member's own copy. */
import {
  add,
  batchMatmul,
  type Dim,
  halvesMatmul,
  int8Matmul,
  type MatmulOptions,
  matmul,
  mul,
  reshape,
  type State,
  type StateDecl,
  state,
  type Tensor,
  takeRows,
  unpackHalves,
  unpackInt8,
} from "../../kernels/index.ts";
import { FLOATS_PART } from "../../storage/index.ts";
import type { WeightDecl, WeightPacking } from "./ModelConfig.ts";

/** The roles of weights in a program. */
export type Role = "actor" | "reference" | "critic";

/** Low-rank matrices added to the weights of some linear layers (Hu et al. 2021). */
export interface AdapterShape {
  readonly rank: number;
  /** alpha / rank. */
  readonly scale: number;
  /** Names of the weights that have an adapter. */
  readonly targets: readonly string[];
}

/** Which of a role's weights are its own: all, an adapter's matrices, or none. */
export type Tuning =
  | { readonly kind: "whole" }
  | { readonly kind: "adapter"; readonly adapter: AdapterShape }
  | { readonly kind: "base" };

/** Buffer name of a base weight. */
export const baseName = (weight: string): string => `base.${weight}`;

/** Buffer name of the factors of a weight's rows, if it is kept as integers. */
export const scalesName = (weight: string): string => `${baseName(weight)}.scales`;

/** Whether a base weight can be packed: only factors and tables, whose rows are multiples of 4 and read as a whole. */
const canBePacked = ({ shape: [, columns = 1, ...others] }: WeightDecl): boolean =>
  others.length === 0 && columns % 4 === 0 && columns <= FLOATS_PART;

/** The weights of a base, with those packed that can be. */
export const packedWeights = (
  weights: readonly WeightDecl[],
  packing: WeightPacking,
): readonly WeightDecl[] => weights.map((weight) => (canBePacked(weight) ? { ...weight, packing } : weight));

/** Numbers in a word. */
const PER_WORD = { f16: 2, q8: 4 } as const;

/** The buffer of a base weight's numbers. */
function baseState({ name, shape, packing }: WeightDecl): StateDecl {
  const own = { name: baseName(name), shared: true };
  if (packing === undefined) return { ...own, shape, dtype: "f32" };
  return { ...own, shape: [...shape.slice(0, -1), (shape.at(-1) ?? 0) / PER_WORD[packing]], dtype: "u32" };
}

const scalesState = ({ name, shape }: WeightDecl): StateDecl => ({
  name: scalesName(name),
  shape: shape.slice(0, 1),
  dtype: "f32",
  shared: true,
});

/** The buffers of a base weight. */
export const baseStates = (weight: WeightDecl): readonly StateDecl[] =>
  weight.packing === "q8" ? [baseState(weight), scalesState(weight)] : [baseState(weight)];

/** Buffer name of a role's own weight: a full weight, or a matrix of its adapter. */
export const ownName = (role: Role, weight: string): string => `${role}.${weight}`;

/** Names of a layer's two adapter matrices in PEFT's files. */
export const adapterNames = (weight: string): readonly [a: string, b: string] => {
  const module = `base_model.model.${weight.replace(/\.weight$/, "")}`;
  return [`${module}.lora_A.weight`, `${module}.lora_B.weight`];
};

/** Name of the buffer with copies of the buffer of a role's own weight: [copies, numbers of the weight]. */
export const copiesName = (own: string): string => `copies.${own}`;

/** Copies of an adapter, side by side in a batch of `rows` sequences with `columns` tokens. */
export interface AdapterCopies {
  readonly count: Dim;
  /** The copy of each sequence, i32 [rows]. */
  readonly of: Tensor;
  readonly rows: Dim;
  readonly columns: Dim;
}

/** Shapes of an adapter's matrices: A `[rank, in]`, B `[out, rank]`. */
export function adapterShapes(
  { shape, linear }: WeightDecl,
  rank: number,
): readonly [a: readonly [number, number], b: readonly [number, number]] {
  const [first = 0, second = 0] = shape;
  const [out, input] = linear === "in_out" ? [second, first] : [first, second];
  return [
    [rank, input],
    [out, rank],
  ];
}

/** A weight that a role owns and that its optimiser updates. */
export interface OwnWeight {
  /** Name without the role: the file's, or PEFT's. */
  readonly name: string;
  readonly shape: readonly number[];
}

/** The weights that a role owns, in the order of the model's weights. */
export function ownWeights(weights: readonly WeightDecl[], tuning: Tuning): readonly OwnWeight[] {
  if (tuning.kind === "base") return [];
  if (tuning.kind === "whole") return weights.map(({ name, shape }) => ({ name, shape }));
  const targets = new Set(tuning.adapter.targets);
  return weights
    .filter(({ name }) => targets.has(name))
    .flatMap((weight) => {
      const [a, b] = adapterNames(weight.name);
      const [shapeA, shapeB] = adapterShapes(weight, tuning.adapter.rank);
      return [
        { name: a, shape: shapeA },
        { name: b, shape: shapeB },
      ];
    });
}

/** Reads a role's weights while a program is traced. Each is read once. */
export class WeightSource {
  readonly #role: Role;
  readonly #tuning: Tuning;
  readonly #weights: ReadonlyMap<string, WeightDecl>;
  readonly #own = new Map<string, { readonly state: State; readonly value: Tensor }>();
  readonly #base = new Map<string, Tensor>();
  readonly #copies: AdapterCopies | null;

  /** @param copies Copies of the adapter in place of the role's own (default: none). */
  constructor(
    weights: readonly WeightDecl[],
    role: Role,
    tuning: Tuning,
    copies: AdapterCopies | null = null,
  ) {
    this.#copies = copies;
    this.#role = role;
    this.#tuning = tuning;
    this.#weights = new Map(weights.map((weight) => [weight.name, weight]));
  }

  /** The role's own weights that have been read, for computing gradients. */
  get own(): ReadonlyMap<string, { readonly state: State; readonly value: Tensor }> {
    return this.#own;
  }

  /** Value of a weight; of packed ones, their words. */
  value(name: string): Tensor {
    const decl = this.#declared(name);
    if (this.#tuning.kind === "whole") return this.#ownValue(name, decl.shape);
    return this.#baseValue(baseState(decl));
  }

  #packing(name: string): WeightPacking | undefined {
    return this.#tuning.kind === "whole" ? undefined : this.#declared(name).packing;
  }

  /** Factors of the rows of a weight of integers [R, C]: [R]. */
  #scales(name: string): Tensor {
    return this.#baseValue(scalesState(this.#declared(name)));
  }

  /** Reads all that a product with a weight needs. */
  prepare(name: string): void {
    this.value(name);
    if (this.#packing(name) === "q8") this.#scales(name);
  }

  /** Rows of a weight [R, C] by index [N]: [N, C]. */
  rows(name: string, index: Tensor): Tensor {
    const rows = takeRows(this.value(name), index);
    const packing = this.#packing(name);
    if (packing === undefined) return rows;
    if (packing === "f16") return unpackHalves(rows);
    const scales = reshape(this.#scales(name), [this.#declared(name).shape[0] as number, 1]);
    return mul(unpackInt8(rows), takeRows(scales, index));
  }

  /** The product of `x` with a weight, as `matmul` has it. */
  product(x: Tensor, name: string, options: Omit<MatmulOptions, "transposeA">): Tensor {
    const packing = this.#packing(name);
    if (packing !== "q8") return (packing === "f16" ? halvesMatmul : matmul)(x, this.value(name), options);
    const scales = this.#scales(name);
    const { transposeB = false, bias } = options;
    if (!transposeB) return int8Matmul(mul(x, scales), this.value(name), options);
    const y = mul(int8Matmul(x, this.value(name), { transposeB }), scales);
    return bias ? add(y, bias) : y;
  }

  /** A weight of the value head, which the role owns and the model's files do not have. */
  head(name: string, shape: readonly number[]): Tensor {
    return this.#ownValue(name, shape);
  }

  /** Applies a linear layer to rows `x` [N, in]: [N, out]. */
  linear(x: Tensor, weight: string, bias: boolean): Tensor {
    const decl = this.#declared(weight);
    const added = bias ? { bias: this.value(weight.replace(/weight$/, "bias")) } : {};
    const transposeB = decl.linear !== "in_out";
    const y = this.product(x, weight, { transposeB, ...added });
    if (this.#tuning.kind !== "adapter" || !this.#tuning.adapter.targets.includes(weight)) return y;
    const { rank, scale } = this.#tuning.adapter;
    const [a, b] = adapterNames(weight);
    const [shapeA, shapeB] = adapterShapes(decl, rank);
    if (this.#copies) {
      const { rows, columns } = this.#copies;
      const own = reshape(x, [rows, columns, shapeA[1]]);
      const low = batchMatmul(own, this.#copied(a, shapeA), { transposeB: true });
      const high = batchMatmul(low, this.#copied(b, shapeB), { transposeB: true });
      return add(y, reshape(mul(high, scale), y.shape));
    }
    const low = matmul(x, this.#ownValue(a, shapeA), { transposeB: true });
    return add(y, mul(matmul(low, this.#ownValue(b, shapeB), { transposeB: true }), scale));
  }

  #baseValue({ name, shape, dtype, shared }: StateDecl): Tensor {
    const known = this.#base.get(name);
    if (known) return known;
    const value = state(name, shape, { dtype, shared }).read();
    this.#base.set(name, value);
    return value;
  }

  #ownValue(name: string, shape: readonly Dim[]): Tensor {
    const known = this.#own.get(name);
    if (known) return known.value;
    const own = state(ownName(this.#role, name), shape);
    const value = own.read();
    this.#own.set(name, { state: own, value });
    return value;
  }

  /** A matrix of the adapter, each sequence's own: [rows, ...shape]. */
  #copied(name: string, [first, second]: readonly [number, number]): Tensor {
    const { count, of, rows } = this.#copies as AdapterCopies; // the caller has looked
    const all = state(copiesName(ownName(this.#role, name)), [count, first * second]).read();
    return reshape(takeRows(all, of), [rows, first, second]);
  }

  #declared(name: string): WeightDecl {
    const decl = this.#weights.get(name);
    if (!decl)
      throw new Error(`model: no weight "${name}"; there are ${[...this.#weights.keys()].join(", ")}`);
    return decl;
  }
}
