/**
 * Noise on an agent's networks, a direction for each perturbed copy or pair of copies, and the step along the directions
 * that their weights favour. A matrix may have noise of low rank, A B^T / sqrt(r), which is applied as
 * x W + sigma (x A) B^T / sqrt(r): one product with W serves all copies (Sarkar et al. 2025, arXiv 2511.16652).
 */
import {
  abs,
  add,
  broadcastTo,
  cast,
  constant,
  type Dim,
  dimValue,
  floor,
  iota,
  less,
  lessEqual,
  matmul,
  mul,
  mulDims,
  reshape,
  type Shape,
  select,
  sym,
  type Tensor,
  transpose,
} from "../../kernels/index.ts";
import { LARGEST_REAL } from "../../specs/messages.ts";
import { perturbationNormals, SYMBOLS } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import { drawNoise, matrixShape, type Noise, type RowNoise, withRowNoise } from "./rowNoise.ts";

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

interface NoiseOptions {
  /** Standard deviation, scalar. */
  readonly sigma: Tensor;
  /** Largest rank of the noise on a matrix; null for full rank. */
  readonly rank: number | null;
  /** i32 scalar that differs between iterations of a turn. */
  readonly iteration: Tensor;
}

/** Standard normal noise on all parameters of networks, by direction. */
export class Perturbation {
  readonly #networks: Networks;
  readonly #copies: Copies;
  readonly #sigma: Tensor;
  readonly #noise: ReadonlyMap<Tensor, Noise>;

  constructor(networks: Networks, copies: Copies, { sigma, rank, iteration }: NoiseOptions) {
    this.#networks = networks;
    this.#copies = copies;
    this.#sigma = sigma;
    const { directions } = copies;
    this.#noise = drawNoise(networks, rank, (index, size) =>
      reshape(perturbationNormals(iteration, index, mulDims(directions, size)), [directions, size]),
    );
  }

  /** The networks, whose rows are those of all copies' episodes. Their noise is computed here, once. */
  networks(): Networks {
    const rows = [...this.#noise].map(([value, noise]): [Tensor, RowNoise] => [
      value,
      this.#ofRows(value, noise),
    ]);
    return withRowNoise(this.#networks, new Map(rows));
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

  /** sigma for rows of the forward copy, -sigma for those of the backward copy: [1, rows of a direction, 1]. */
  #signed(places: Dim = 1): Tensor {
    const { signs, episodes } = this.#copies;
    const own = mulDims(episodes, places);
    if (signs === 1) return broadcastTo(reshape(this.#sigma, [1, 1, 1]), [1, own, 1]);
    const forward = less(iota(mulDims(2, own)), dimValue(own, "i32"));
    return reshape(mul(this.#sigma, select(forward, 1, -1)), [1, mulDims(2, own), 1]);
  }

  #ofRows(value: Tensor, noise: Noise): RowNoise {
    const { directions, signs, episodes } = this.#copies;
    const rows = mulDims(signs, episodes);
    const spread = (x: Tensor, factor: Tensor): Tensor => {
      const size = x.shape[1] as Dim;
      const every = mul(reshape(x, [directions, 1, size]), factor);
      return reshape(every, [rowCount(this.#copies), size]);
    };
    if ("full" in noise)
      return matrixShape(value)
        ? { matrices: noise.full, rows, scale: (places) => this.#signed(places) }
        : { vectors: add(spread(noise.full, this.#signed()), value) };
    const alike = constant(1, "f32", [1, rows, 1]);
    const share = mul(this.#signed(), 1 / Math.sqrt(noise.factors.length));
    return {
      factors: noise.factors.map(({ left, right }) => ({
        left: spread(left, alike),
        right: spread(right, share),
      })),
    };
  }
}

/**
 * Noise of single rows, as {@link Perturbation} has it for them.
 * @param copy Number of each row's copy, i32 [n].
 */
export function rowsOfCopies(
  networks: Networks,
  copy: Tensor,
  { signs }: Pick<Copies, "signs">,
  { sigma, rank, iteration }: NoiseOptions,
): ReadonlyMap<Tensor, RowNoise> {
  const n = copy.shape[0] as Dim;
  const direction = signs === 1 ? copy : cast(floor(mul(cast(copy, "f32"), 0.5)), "i32");
  const isBackward = less(mul(direction, signs), copy);
  const signed = reshape(mul(sigma, select(isBackward, -1, 1)), [n, 1]);
  const noise = drawNoise(networks, rank, (index, size) => {
    const at = add(mul(reshape(direction, [n, 1]), dimValue(size, "i32")), iota(size));
    const lanes = cast(reshape(at, [mulDims(n, size)]), "u32");
    return reshape(perturbationNormals(iteration, index, lanes), [n, size]);
  });
  return new Map(
    [...noise].map(([value, own]): [Tensor, RowNoise] => {
      if ("full" in own) {
        const scaled = mul(own.full, signed);
        return [
          value,
          matrixShape(value)
            ? { matrices: scaled, rows: 1, scale: unscaled }
            : { vectors: add(scaled, value) },
        ];
      }
      const share = mul(signed, 1 / Math.sqrt(own.factors.length));
      return [value, { factors: own.factors.map(({ left, right }) => ({ left, right: mul(right, share) })) }];
    }),
  );
}

/** No factor on the products of matrices that contain sigma and the sign. */
export const unscaled = (places: Dim): Tensor => constant(1, "f32", [1, places, 1]);

/** 1 for values that are finite numbers, f32. */
export const isFinite = (x: Tensor): Tensor => cast(lessEqual(abs(x), LARGEST_REAL), "f32");
