/** Where a program takes a model's weights from: the base, with an adapter over it, or a copy of a member's own. */
import { add, type Dim, matmul, mul, type State, state, type Tensor } from "../../kernels/index.ts";
import type { WeightDecl } from "./ModelConfig.ts";

/** A policy's weights in a program: `actor`, `reference` or `critic`. */
export type Role = "actor" | "reference" | "critic";

/** Low-rank matrices beside the weights of some linear layers (Hu et al. 2021). */
export interface AdapterShape {
  readonly rank: number;
  /** alpha / rank. */
  readonly scale: number;
  /** Names of the weights that have them. */
  readonly targets: readonly string[];
}

/** What of a role's weights is its own: everything, an adapter's matrices, or nothing. */
export type Tuning =
  | { readonly kind: "whole" }
  | { readonly kind: "adapter"; readonly adapter: AdapterShape }
  | { readonly kind: "base" };

/** Name of a buffer with a weight of the base. */
export const baseName = (weight: string): string => `base.${weight}`;

/** Name of a buffer with a weight of a role's own: a whole one, or a matrix of its adapter. */
export const ownName = (role: Role, weight: string): string => `${role}.${weight}`;

/** The two matrices of a layer's adapter, by their names in PEFT's files. */
export const adapterNames = (weight: string): readonly [a: string, b: string] => {
  const module = `base_model.model.${weight.replace(/\.weight$/, "")}`;
  return [`${module}.lora_A.weight`, `${module}.lora_B.weight`];
};

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

/** A buffer that a role owns: what its optimiser moves. */
export interface OwnWeight {
  /** Name without the role: the file's, or PEFT's. */
  readonly name: string;
  readonly shape: readonly number[];
}

/** What a role owns, in the order of the model's weights. */
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

/** Reads a role's weights while a program is traced, each once. */
export class WeightSource {
  readonly #role: Role;
  readonly #tuning: Tuning;
  readonly #weights: ReadonlyMap<string, WeightDecl>;
  readonly #own = new Map<string, { readonly state: State; readonly value: Tensor }>();
  readonly #base = new Map<string, Tensor>();

  constructor(weights: readonly WeightDecl[], role: Role, tuning: Tuning) {
    this.#role = role;
    this.#tuning = tuning;
    this.#weights = new Map(weights.map((weight) => [weight.name, weight]));
  }

  /** What was read of the role's own: what gradients are taken of. */
  get own(): ReadonlyMap<string, { readonly state: State; readonly value: Tensor }> {
    return this.#own;
  }

  /** A weight's value. */
  value(name: string): Tensor {
    const decl = this.#declared(name);
    if (this.#tuning.kind === "whole") return this.#ownValue(name, decl.shape);
    const known = this.#base.get(name);
    if (known) return known;
    const value = state(baseName(name), decl.shape, { shared: true }).read();
    this.#base.set(name, value);
    return value;
  }

  /** A weight of the role's own that the model's files do not have: the value head's. */
  head(name: string, shape: readonly number[]): Tensor {
    return this.#ownValue(name, shape);
  }

  /** Rows `x` [N, in] through a linear layer: [N, out]. */
  linear(x: Tensor, weight: string, bias: boolean): Tensor {
    const decl = this.#declared(weight);
    const added = bias ? { bias: this.value(weight.replace(/weight$/, "bias")) } : {};
    const transposeB = decl.linear !== "in_out";
    const y = matmul(x, this.value(weight), { transposeB, ...added });
    if (this.#tuning.kind !== "adapter" || !this.#tuning.adapter.targets.includes(weight)) return y;
    const { rank, scale } = this.#tuning.adapter;
    const [a, b] = adapterNames(weight);
    const [shapeA, shapeB] = adapterShapes(decl, rank);
    const low = matmul(x, this.#ownValue(a, shapeA), { transposeB: true });
    return add(y, mul(matmul(low, this.#ownValue(b, shapeB), { transposeB: true }), scale));
  }

  #ownValue(name: string, shape: readonly Dim[]): Tensor {
    const known = this.#own.get(name);
    if (known) return known.value;
    const own = state(ownName(this.#role, name), shape);
    const value = own.read();
    this.#own.set(name, { state: own, value });
    return value;
  }

  #declared(name: string): WeightDecl {
    const decl = this.#weights.get(name);
    if (!decl)
      throw new Error(`model: no weight "${name}"; there are ${[...this.#weights.keys()].join(", ")}`);
    return decl;
  }
}
