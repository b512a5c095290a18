/** Noise on parameters by row of a batch, and networks with it. */
import {
  add,
  batchMatmul,
  type Dim,
  matmul,
  mul,
  mulDims,
  reshape,
  type Shape,
  sizeOf,
  state,
  sum,
  type Tensor,
} from "../../kernels/index.ts";
import type { Network, Networks } from "../contract/network.ts";
import type { RowParameters } from "../modules/moduleDefinition.ts";

/** Standard normal noise on one tensor, a row for each direction: [directions, numbers], or factors of each rank. */
export type Noise =
  | { readonly full: Tensor }
  | { readonly factors: readonly { readonly left: Tensor; readonly right: Tensor }[] };

/** One tensor of n rows: vectors with their noise [n, k]; scaled factors [n, in], [n, out]; or matrices of groups of rows. */
export type RowNoise =
  | { readonly vectors: Tensor }
  | { readonly factors: readonly { readonly left: Tensor; readonly right: Tensor }[] }
  | {
      /** [groups, in x out], for consecutive rows of the same number. */
      readonly matrices: Tensor;
      /** Rows of a group. */
      readonly rows: Dim;
      /** Factors of the products of a group's rows, each with `places` positions: [1, rows x places, 1]. */
      readonly scale: (places: Dim) => Tensor;
    };

/** A tensor's size as a matrix [in, out]; null for a vector. */
export const matrixShape = ({ shape }: { readonly shape: Shape }): readonly [Dim, Dim] | null =>
  shape.length < 2 ? null : [sizeOf(shape.slice(0, -1)), shape.at(-1) as Dim];

/** Whether noise of a rank costs less than noise on each number of a tensor. */
const isLow = (value: Tensor, rank: number): boolean =>
  (matrixShape(value) ?? [1]).every((size) => typeof size !== "number" || size > rank);

/** All parameters of networks, in order. */
export const parametersOf = (networks: Networks): Tensor[] =>
  Object.values(networks).flatMap(({ parameters }) => Object.values(parameters));

/**
 * Noise on all parameters of networks.
 * @param rank Largest rank of the noise on a matrix; null for full rank.
 * @param draw Standard normal numbers [directions, size], others for each index.
 */
export function drawNoise(
  networks: Networks,
  rank: number | null,
  draw: (index: number, size: Dim) => Tensor,
): ReadonlyMap<Tensor, Noise> {
  let index = 0;
  const next = (size: Dim): Tensor => draw(index++, size);
  return new Map(
    parametersOf(networks).map((value): [Tensor, Noise] => {
      const matrix = matrixShape(value);
      if (rank === null || matrix === null || !isLow(value, rank))
        return [value, { full: next(sizeOf(value.shape)) }];
      const [inputs, outputs] = matrix;
      return [
        value,
        { factors: Array.from({ length: rank }, () => ({ left: next(inputs), right: next(outputs) })) },
      ];
    }),
  );
}

/** Networks whose rows have parameters of their own. */
export const withRowNoise = (networks: Networks, noise: ReadonlyMap<Tensor, RowNoise>): Networks =>
  Object.fromEntries(
    Object.entries(networks).map(([name, network]) => [name, network.withRows(rowsOf(network, noise))]),
  );

/** Rows [n, k] as [n, 1, ..., k] of `rank` axes. */
const inRank = (rows: Tensor, rank: number): Tensor =>
  reshape(rows, [rows.shape[0] as Dim, ...Array<Dim>(rank - 2).fill(1), rows.shape[1] as Dim]);

function rowsOf({ parameters }: Network, all: ReadonlyMap<Tensor, RowNoise>): RowParameters {
  const noiseOf = (name: string): RowNoise => all.get(parameters[name] as Tensor) as RowNoise;
  return {
    product: (name, x, weight) => {
      const noise = noiseOf(name);
      if ("vectors" in noise) throw new TypeError(`noise: found vectors for the matrix ${name}`);
      const base = matmul(x, weight);
      if ("matrices" in noise) return add(base, grouped(noise, x, weight));
      return noise.factors
        .map(({ left, right }) => mul(sum(mul(x, inRank(left, x.rank)), -1, true), inRank(right, x.rank)))
        .reduce((whole, one) => add(whole, one), base);
    },
    vector: (name, _value, rank) => {
      const noise = noiseOf(name);
      if ("vectors" in noise) return inRank(noise.vectors, rank);
      throw new TypeError(`noise: found a matrix for the vector ${name}`);
    },
  };
}

function grouped(
  { matrices, rows, scale }: Extract<RowNoise, { matrices: Tensor }>,
  x: Tensor,
  weight: Tensor,
): Tensor {
  const [inputs, outputs] = weight.shape as [Dim, Dim];
  const groups = matrices.shape[0] as Dim;
  const places = sizeOf(x.shape.slice(1, -1));
  const noisy = batchMatmul(
    reshape(x, [groups, mulDims(rows, places), inputs]),
    reshape(matrices, [groups, inputs, outputs]),
  );
  return reshape(mul(noisy, scale(places)), [...x.shape.slice(0, -1), outputs]);
}

/** Buffers of one row's noise for each lane, by parameter: `perturbed.<network>.<tensor>` and what belongs to it. */
function buffersOf(networks: Networks, rank: number | null, lanes: Dim) {
  return Object.entries(networks).flatMap(([network, { parameters }]) =>
    Object.entries(parameters).map(([tensor, value]) => {
      const name = `perturbed.${network}.${tensor}`;
      const matrix = matrixShape(value);
      const isFactored = matrix !== null && rank !== null && isLow(value, rank);
      const factors = isFactored
        ? Array.from({ length: rank }, (_, k) => ({
            left: state(`${name}.left_${k}`, [lanes, matrix[0]]),
            right: state(`${name}.right_${k}`, [lanes, matrix[1]]),
          }))
        : [];
      const whole = isFactored ? null : state(name, [lanes, sizeOf(value.shape)]);
      return { value, factors, whole, isMatrix: matrix !== null };
    }),
  );
}

/** Keeps noise with a row for each lane for later programs, which {@link keptRowNoise} it. */
export function keepRowNoise(
  networks: Networks,
  rank: number | null,
  lanes: Dim,
  noise: ReadonlyMap<Tensor, RowNoise>,
): void {
  for (const { value, factors, whole } of buffersOf(networks, rank, lanes)) {
    const own = noise.get(value) as RowNoise;
    if ("factors" in own)
      for (const [k, { left, right }] of own.factors.entries()) {
        factors[k]?.left.write(left);
        factors[k]?.right.write(right);
      }
    else whole?.write("vectors" in own ? own.vectors : own.matrices);
  }
}

/** Noise that {@link keepRowNoise} kept. @param scale As that of its matrices. */
export const keptRowNoise = (
  networks: Networks,
  rank: number | null,
  lanes: Dim,
  scale: (places: Dim) => Tensor,
): ReadonlyMap<Tensor, RowNoise> =>
  new Map(
    buffersOf(networks, rank, lanes).map(({ value, factors, whole, isMatrix }): [Tensor, RowNoise] => {
      if (!whole)
        return [
          value,
          { factors: factors.map(({ left, right }) => ({ left: left.read(), right: right.read() })) },
        ];
      const read = whole.read();
      return [value, isMatrix ? { matrices: read, rows: 1, scale } : { vectors: read }];
    }),
  );
