/** A multi-dimensional array of numbers in row-major order. */
export interface ShapedArray<A extends Int32Array | Float32Array> {
  readonly shape: readonly number[];
  readonly data: A;
}
