/** Offsets and distances between bodies. Positions of bodies are [num_envs, bodies, 2]. */
import {
  add,
  type Dim,
  max,
  neg,
  reshape,
  slice,
  sqrt,
  square,
  sub,
  type Tensor,
} from "../../../../kernels/index.ts";

const dims = ({ shape }: Tensor): readonly [n: Dim, bodies: Dim] => [shape[0] as Dim, shape[1] as Dim];

/** Differences in x and in y from each body of `from` to each body of `to`, each [num_envs, from, to]. */
export function gaps(from: Tensor, to: Tensor): readonly [x: Tensor, y: Tensor] {
  const [n, bodies] = dims(to);
  const along = (axis: number): Tensor =>
    sub(reshape(slice(to, axis, 1), [n, 1, bodies]), slice(from, axis, 1));
  return [along(0), along(1)];
}

export const length = (x: Tensor, y: Tensor): Tensor => sqrt(add(square(x), square(y)));

/** Distances from each body of `from` to each body of `to`, [num_envs, from, to]. */
export const distances = (from: Tensor, to: Tensor): Tensor => length(...gaps(from, to));

/** Distance of each body to one position (f32 [num_envs, 2]): [num_envs, from]. */
export function distancesTo(from: Tensor, place: Tensor): Tensor {
  const [n, bodies] = dims(from);
  return reshape(distances(from, reshape(place, [n, 1, 2])), [n, bodies]);
}

/** Offsets from each body of `from` to each body of `to`, x and y interleaved: [num_envs, from, 2 to]. */
export function offsets(from: Tensor, to: Tensor): Tensor {
  const [n, several] = dims(from);
  const count = to.shape[1] as number;
  const apart = sub(reshape(to, [n, 1, count, 2]), reshape(from, [n, several, 1, 2]));
  return reshape(apart, [n, several, 2 * count]);
}

/** Minimum over the last axis. */
export const least = (x: Tensor): Tensor => neg(max(neg(x)));

/** A range of consecutive bodies: [num_envs, bodies, k] -> [num_envs, count, k]. */
export function some(x: Tensor, from: number, count: number): Tensor {
  const [n, bodies] = dims(x);
  if (count === bodies) return x;
  const width = x.shape[2] as number;
  const flat = reshape(x, [n, (bodies as number) * width]);
  return reshape(slice(flat, from * width, count * width), [n, count, width]);
}

/**
 * Removes each body's entries about itself: [num_envs, bodies, bodies * k] -> [num_envs, bodies, (bodies - 1)
 * * k]. If a square matrix without its first entry is reshaped to rows longer by one, its diagonal is the
 * last column.
 */
export function ofOthers(x: Tensor): Tensor {
  const [n, bodies] = dims(x) as readonly [Dim, number];
  const width = (x.shape[2] as number) / bodies;
  const size = bodies * bodies * width;
  const shifted = slice(reshape(x, [n, size]), width, size - width);
  const rows = slice(reshape(shifted, [n, bodies - 1, (bodies + 1) * width]), 0, bodies * width);
  return reshape(rows, [n, bodies, (bodies - 1) * width]);
}
