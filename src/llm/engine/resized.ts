/** Number of elements in a shape. */
const countOf = (shape: readonly number[]): number => shape.reduce((count, size) => count * size, 1);

/** A row-major array, and a part of it: the shape of the part and its offset. */
interface Part<A> {
  readonly values: A;
  readonly shape: readonly number[];
  readonly at: number;
}

function copy(from: Part<ArrayLike<number>>, to: Part<Float32Array>): void {
  const [size = 1, ...rest] = from.shape;
  const [room = 1, ...restRoom] = to.shape;
  const common = Math.min(size, room);
  if (rest.length === 0) {
    for (let i = 0; i < common; i++) to.values[to.at + i] = from.values[from.at + i] ?? 0;
    return;
  }
  const [step, stride] = [countOf(rest), countOf(restRoom)];
  for (let i = 0; i < common; i++)
    copy(
      { values: from.values, shape: rest, at: from.at + i * step },
      { values: to.values, shape: restRoom, at: to.at + i * stride },
    );
}

/**
 * Copies a row-major array to a larger or smaller shape with the same number of dimensions. Elements outside
 * the old shape are 0. Integers below 2^24 stay exact.
 */
export function resized(
  values: ArrayLike<number>,
  from: readonly number[],
  to: readonly number[],
): Float32Array {
  const result = new Float32Array(countOf(to));
  copy({ values, shape: from, at: 0 }, { values: result, shape: to, at: 0 });
  return result;
}
