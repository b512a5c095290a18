/**
 * Noise on an agent's networks, a direction for each perturbed copy or pair of copies, and the step along the directions
 * that their weights favour. A matrix may have noise of low rank, A B^T / sqrt(r), which is applied as
 * x W + sigma (x A) B^T / sqrt(r): one product with W serves all copies (Sarkar et al. 2025, arXiv 2511.16652).
 */
import {
  abs,
  add,
  batchMatmul,
  broadcastTo,
  cast,
  constant,
  type Dim,
  dimValue,
  iota,
  less,
  lessEqual,
  matmul,
  mul,
  mulDims,
  reshape,
  type Shape,
  select,
  sizeOf,
  sum,
  sym,
  type Tensor,
  transpose,
} from "../../kernels/index.ts";
import { perturbationNormals, SYMBOLS } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import type { RowParameters } from "../modules/moduleDefinition.ts";

/** Perturbed copies of a policy, and the rows of their episodes: [directions, signs, episodes] in this order. */
export interface Copies {
  /** Directions of noise. */
  readonly directions: Dim;
  /** 2 if each direction is taken forwards and backwards, else 1. */
  readonly signs: 1 | 2;
  /** Episodes of each copy. */
  readonly episodes: Dim;
}

/** Copies of a program whose sizes are bound later. */
export const copiesOf = (antithetic: boolean): Copies => ({
  directions: sym(SYMBOLS.directions),
  signs: antithetic ? 2 : 1,
  episodes: sym(SYMBOLS.episodes),
});

/** The number of copies. */
export const copyCount = ({ directions, signs }: Copies): Dim => mulDims(directions, signs);
/** Rows of all episodes. */
export const rowCount = ({ directions, signs, episodes }: Copies): Dim =>
  mulDims(directions, signs, episodes);

/**
 * Noise on one tensor: of full rank, or the factors of each of its ranks. By direction, or by row: then factors contain
 * sigma, and vectors their values.
 */
type Noise =
  | { readonly full: Tensor }
  | { readonly factors: readonly { readonly left: Tensor; readonly right: Tensor }[] };

/** A tensor as a matrix [in, out]; null for a vector. */
const matrixShape = ({ shape }: Tensor): readonly [Dim, Dim] | null =>
  shape.length < 2 ? null : [sizeOf(shape.slice(0, -1)), shape.at(-1) as Dim];

/** Whether noise of a rank costs less than noise on each of a matrix' numbers. */
const isLow = ([rows, columns]: readonly [Dim, Dim], rank: number): boolean =>
  [rows, columns].every((size) => typeof size !== "number" || size > rank);

/** Standard normal noise on all parameters of networks. */
export class Perturbation {
  readonly #networks: Networks;
  readonly #copies: Copies;
  readonly #sigma: Tensor;
  readonly #noise = new Map<Tensor, Noise>();

  /**
   * @param sigma Standard deviation, scalar.
   * @param rank Largest rank of the noise on a matrix; null for full rank.
   * @param iteration i32 scalar that differs between iterations of a turn.
   */
  constructor(
    networks: Networks,
    copies: Copies,
    { sigma, rank, iteration }: { sigma: Tensor; rank: number | null; iteration: Tensor },
  ) {
    this.#networks = networks;
    this.#copies = copies;
    this.#sigma = sigma;
    const { directions } = copies;
    let index = 0;
    const draw = (...size: readonly Dim[]): Tensor =>
      reshape(perturbationNormals(iteration, index++, mulDims(directions, ...size)), [
        directions,
        sizeOf(size),
      ]);
    for (const value of this.#parameters()) {
      const matrix = matrixShape(value);
      if (rank === null || matrix === null || !isLow(matrix, rank)) {
        this.#noise.set(value, { full: draw(...value.shape) });
        continue;
      }
      const factors = Array.from({ length: rank }, () => ({ left: draw(matrix[0]), right: draw(matrix[1]) }));
      this.#noise.set(value, { factors });
    }
  }

  /** The networks, with each row's own parameters. */
  networks(): Networks {
    return Object.fromEntries(
      Object.entries(this.#networks).map(([name, network]) => [name, network.withRows(this.#rows(network))]),
    );
  }

  /**
   * Sum of the directions, each times its weight [directions], by parameter: shaped like it. The order of the sum does not
   * depend on the device's threads.
   */
  along(weights: Tensor): ReadonlyMap<Tensor, Tensor> {
    const { directions } = this.#copies;
    const row = reshape(weights, [1, directions]);
    const column = reshape(weights, [directions, 1]);
    const total = (noise: Noise, shape: Shape): Tensor => {
      if ("full" in noise) return reshape(matmul(row, noise.full), shape);
      const parts = noise.factors.map(({ left, right }) => matmul(transpose(mul(left, column)), right));
      const whole = parts.reduce((a, b) => add(a, b));
      return reshape(mul(whole, 1 / Math.sqrt(parts.length)), shape);
    };
    return new Map([...this.#noise].map(([value, noise]) => [value, total(noise, value.shape)]));
  }

  *#parameters(): Generator<Tensor> {
    for (const { parameters } of Object.values(this.#networks)) yield* Object.values(parameters);
  }

  #rows({ parameters }: Network): RowParameters {
    // Computed here, once, and not in every step of the episodes.
    const own = new Map(
      Object.entries(parameters).map(([name, value]): [string, Noise] => [name, this.#ofRows(value)]),
    );
    const noiseOf = (name: string): Noise => own.get(name) as Noise;
    return {
      product: (name, x, weight) => {
        const noise = noiseOf(name);
        const base = matmul(x, weight);
        if ("factors" in noise)
          return noise.factors
            .map(({ left, right }) => mul(sum(mul(x, inRank(left, x.rank)), -1, true), inRank(right, x.rank)))
            .reduce((all, one) => add(all, one), base);
        return add(base, this.#fullProduct(noise.full, x, weight));
      },
      vector: (name, _value, rank) => {
        const noise = noiseOf(name);
        if ("full" in noise) return inRank(noise.full, rank);
        throw new TypeError(`perturbation: found factors for the vector ${name}`);
      },
    };
  }

  /** sigma for rows of the forward copy, -sigma for those of the backward copy: [1, rows of a direction, 1]. */
  #signed(places: Dim = 1): Tensor {
    const { signs, episodes } = this.#copies;
    const own = mulDims(episodes, places);
    if (signs === 1) return broadcastTo(reshape(this.#sigma, [1, 1, 1]), [1, own, 1]);
    const forward = less(iota(mulDims(2, own)), dimValue(own, "i32"));
    return reshape(mul(this.#sigma, select(forward, 1, -1)), [1, mulDims(2, own), 1]);
  }

  /** The noise of a parameter for each row, times sigma; that of a matrix of full rank stays by direction. */
  #ofRows(value: Tensor): Noise {
    const noise = this.#noise.get(value) as Noise;
    const { directions, signs, episodes } = this.#copies;
    const size = (x: Tensor): Dim => x.shape[1] as Dim;
    const spread = (x: Tensor, factor: Tensor): Tensor => {
      const every = mul(reshape(x, [directions, 1, size(x)]), factor);
      return reshape(every, [rowCount(this.#copies), size(x)]);
    };
    if ("full" in noise)
      return { full: matrixShape(value) ? noise.full : add(spread(noise.full, this.#signed()), value) };
    const alike = constant(1, "f32", [1, mulDims(signs, episodes), 1]);
    const share = mul(this.#signed(), 1 / Math.sqrt(noise.factors.length));
    return {
      factors: noise.factors.map(({ left, right }) => ({
        left: spread(left, alike),
        right: spread(right, share),
      })),
    };
  }

  #fullProduct(noise: Tensor, x: Tensor, weight: Tensor): Tensor {
    const { directions, signs, episodes } = this.#copies;
    const [inputs, outputs] = weight.shape as [Dim, Dim];
    const places = sizeOf(x.shape.slice(1, -1));
    const grouped = reshape(x, [directions, mulDims(signs, episodes, places), inputs]);
    const noisy = batchMatmul(grouped, reshape(noise, [directions, inputs, outputs]));
    return reshape(mul(noisy, this.#signed(places)), [...x.shape.slice(0, -1), outputs]);
  }
}

/** Rows [n, k] as [n, 1, ..., k] of `rank` axes. */
const inRank = (rows: Tensor, rank: number): Tensor =>
  reshape(rows, [rows.shape[0] as Dim, ...Array<Dim>(rank - 2).fill(1), rows.shape[1] as Dim]);

const LARGEST = 3.4028234663852886e38;
/** 1 for values that are finite numbers, f32. */
export const isFinite = (x: Tensor): Tensor => cast(lessEqual(abs(x), LARGEST), "f32");
