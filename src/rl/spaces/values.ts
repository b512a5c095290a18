/** Number formats of a space's elements. Programs store each number in 4 bytes, whatever its format. */
export type SpaceDType = "float32" | "int32" | "uint8";

/** One element of a space as flat numbers in row-major order; a plain number for a Discrete space. */
export type SpaceValue = number | ArrayLike<number>;

export const SPACE_DTYPES: readonly SpaceDType[] = ["float32", "int32", "uint8"];

export type SpaceArray = Float32Array | Int32Array | Uint8Array;

export function spaceArray(dtype: SpaceDType, length: number): SpaceArray {
  if (dtype === "int32") return new Int32Array(length);
  return dtype === "uint8" ? new Uint8Array(length) : new Float32Array(length);
}

/** Number of elements in a shape; 1 for [].
 * @throws RangeError naming the dimension that is not a positive integer. */
export function requireShape(shape: readonly number[], place: string): number {
  for (const [axis, dim] of shape.entries()) {
    if (!Number.isInteger(dim) || dim < 1)
      throw new RangeError(`${place}[${axis}]: found ${dim}, allowed positive integers`);
  }
  return shape.reduce((product, dim) => product * dim, 1);
}
