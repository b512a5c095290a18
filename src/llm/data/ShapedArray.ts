/** Numbers of an array of several axes, the last axis fastest. */
export interface ShapedArray<A extends Int32Array | Float32Array> {
  readonly shape: readonly number[];
  readonly data: A;
}
