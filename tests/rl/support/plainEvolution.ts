/** An iteration of an evolution strategy restated in plain f64, with full-rank or rank-one noise drawn by its own hash. */

/** pcg4d (Jarzynski and Olano 2020) of four u32. */
function pcg4d(v: readonly number[]): number[] {
  let [x, y, z, w] = v.map((c) => (Math.imul(c, 1664525) + 1013904223) >>> 0) as [
    number,
    number,
    number,
    number,
  ];
  const mix = () => {
    x = (x + Math.imul(y, w)) >>> 0;
    y = (y + Math.imul(z, x)) >>> 0;
    z = (z + Math.imul(x, y)) >>> 0;
    w = (w + Math.imul(y, z)) >>> 0;
  };
  mix();
  [x, y, z, w] = [x, y, z, w].map((c) => (c ^ (c >>> 16)) >>> 0) as [number, number, number, number];
  mix();
  return [x, y, z, w];
}

const PERTURB = 7;
const STRIDE = 16;

/** Standard normal numbers of vector `index`. */
function normals(key: readonly number[], iteration: number, index: number, size: number): number[] {
  const salt = Math.imul(PERTURB + STRIDE * index + 1, 0x9e3779b9) >>> 0;
  return Array.from({ length: size }, (_, lane) => {
    const bits = pcg4d([((key[0] as number) ^ salt) >>> 0, key[1] as number, iteration, lane]);
    const [u, v] = bits.map((bit) => (bit >>> 8) / 2 ** 24) as [number, number];
    return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
  });
}

interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

interface Iteration {
  readonly key: readonly number[];
  readonly iteration: number;
  readonly directions: number;
  readonly rank: 1 | null;
}

/** Noise of every direction on each parameter, [directions][numbers], by name. */
export function plainNoise(
  parameters: readonly Parameter[],
  { key, iteration, directions, rank }: Iteration,
) {
  let index = 0;
  const draw = (size: number) => {
    const all = normals(key, iteration, index++, directions * size);
    return Array.from({ length: directions }, (_, d) => all.slice(d * size, (d + 1) * size));
  };
  return new Map(
    parameters.map(({ name, shape, values }) => {
      if (rank === null || shape.length < 2 || shape.some((size) => size <= rank))
        return [name, draw(values.length)];
      const [rows, columns] = shape as [number, number];
      const [left, right] = [draw(rows), draw(columns)];
      return [name, left.map((a, d) => a.flatMap((x) => (right[d] as number[]).map((y) => x * y)))];
    }),
  );
}

/** Centred ranks, equal for equal returns. */
export const plainRanks = (returns: readonly number[]): number[] =>
  returns.map((own) => {
    const below = returns.filter((other) => other < own).length;
    const alike = returns.filter((other) => other === own).length - 1;
    return (below + alike / 2) / (returns.length - 1) - 0.5;
  });

/** Parameters after Adam's first step along the estimate, with decoupled weight decay, by name. */
export function plainStep(
  parameters: readonly Parameter[],
  noise: ReadonlyMap<string, readonly (readonly number[])[]>,
  utilities: readonly number[],
  { lr, sigma, weight_decay }: { readonly lr: number; readonly sigma: number; readonly weight_decay: number },
): Map<string, number[]> {
  return new Map(
    parameters.map(({ name, values }) => {
      const own = noise.get(name) as readonly (readonly number[])[];
      const stepped = Array.from(values, (value, i) => {
        const along = own.reduce(
          (sum, direction, d) =>
            sum +
            ((utilities[2 * d] as number) - (utilities[2 * d + 1] as number)) * (direction[i] as number),
          0,
        );
        const gradient = -along / (utilities.length * sigma);
        // After one step both moments are those of the gradient alone.
        return value * (1 - lr * weight_decay) - (lr * gradient) / (Math.abs(gradient) + 1e-8);
      });
      return [name, stepped];
    }),
  );
}
