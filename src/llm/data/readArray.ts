/** Reads arrays of numbers from callers: nested, or flat with a shape. */

/** A multi-dimensional array of numbers in row-major order. */
export interface ShapedArray<A extends Int32Array | Float32Array> {
  readonly shape: readonly number[];
  readonly data: A;
}

type Row = readonly number[] | Int32Array | Uint32Array | Float32Array | Float64Array;

/** A multi-dimensional array of numbers in row-major order. */
export type NumberArray =
  | Row
  | readonly Row[]
  | { readonly shape: readonly number[]; readonly data: ArrayLike<number> };

/** Sizes of axes: a number if the size is fixed, a name if it is not. */
type AxisSizes = readonly (number | string)[];

interface Found {
  readonly shape: readonly number[];
  readonly data: ArrayLike<unknown>;
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

const isShaped = (value: unknown): value is { shape: unknown; data: unknown } =>
  typeof value === "object" && value !== null && "shape" in value && "data" in value;

const show = (shape: AxisSizes): string => `[${shape.join(", ")}]`;

/**
 * @throws TypeError for a value that is not an array; RangeError for rows of different lengths, or data
 *   that does not fit its shape.
 */
function found(value: unknown, place: string): Found {
  if (isShaped(value)) {
    const { shape, data } = value;
    if (!isList(data) || !isList(shape)) throw new TypeError(`${place}: allowed { shape: [..], data: [..] }`);
    const sizes = Array.from(shape, Number);
    const due = sizes.reduce((a, b) => a * b, 1);
    if (due !== data.length)
      throw new RangeError(`${place}: found ${data.length} numbers for shape ${show(sizes)}, allowed ${due}`);
    return { shape: sizes, data };
  }
  if (value === undefined || value === null)
    throw new TypeError(`${place}: missing; give nested arrays, or { shape, data }`);
  if (!isList(value))
    throw new TypeError(`${place}: found a ${typeof value}, allowed nested arrays, or { shape, data }`);
  if (!isList(value[0])) return { shape: [value.length], data: value };
  const rows = Array.from(value, (row, i) => found(row, `${place}[${i}]`));
  const inner = rows[0]?.shape ?? [];
  const odd = rows.findIndex(({ shape }) => show(shape) !== show(inner));
  if (odd > 0)
    throw new RangeError(
      `${place}[${odd}]: found shape ${show(rows[odd]?.shape ?? [])}, allowed ${show(inner)}, that of the first; pad it`,
    );
  return { shape: [rows.length, ...inner], data: rows.flatMap(({ data }) => Array.from(data)) };
}

/** @throws RangeError if the array has none of the allowed shapes. */
function shaped(value: unknown, place: string, allowed: readonly AxisSizes[]): Found {
  const array = found(value, place);
  const fits = allowed.some(
    (sizes) =>
      sizes.length === array.shape.length &&
      sizes.every((size, axis) => typeof size === "string" || size === array.shape[axis]),
  );
  if (fits) return array;
  throw new RangeError(
    `${place}: found shape ${show(array.shape)}, allowed ${allowed.map(show).join(" or ")}`,
  );
}

function numbers(array: Found, place: string, allows: (value: number) => boolean, allowed: string): number[] {
  const width = array.shape.at(-1) ?? 1;
  return Array.from(array.data, (value, i) => {
    const number = typeof value === "boolean" ? Number(value) : value;
    if (typeof number === "number" && allows(number)) return number;
    const at = array.shape.length === 1 ? `${i}` : `${Math.floor(i / width)}][${i % width}`;
    throw new RangeError(`${place}[${at}]: found ${String(value)}, allowed ${allowed}`);
  });
}

/**
 * Reads integers from `min` to `max`.
 * @param place Names the array in errors.
 * @param allowed Allowed shapes.
 * @throws TypeError or RangeError naming the array, and the element that is out of range.
 */
export function readIntegers(
  value: unknown,
  place: string,
  allowed: readonly AxisSizes[],
  [min, max]: readonly [min: number, max: number],
): ShapedArray<Int32Array> {
  const array = shaped(value, place, allowed);
  const allows = (number: number): boolean => Number.isInteger(number) && number >= min && number <= max;
  const data = numbers(array, place, allows, `whole numbers from ${min} to ${max}`);
  return { shape: array.shape, data: Int32Array.from(data) };
}

/** Reads each element by `read`. @throws TypeError or RangeError for an array of another shape. */
export function readElements(
  value: unknown,
  place: string,
  allowed: readonly AxisSizes[],
  read: (element: unknown) => number,
): ShapedArray<Float32Array> {
  const { shape, data } = shaped(value, place, allowed);
  return { shape, data: Float32Array.from(Array.from(data), read) };
}

/** Reads finite numbers; otherwise like {@link readIntegers}. */
export function readFloats(
  value: unknown,
  place: string,
  allowed: readonly AxisSizes[],
): ShapedArray<Float32Array> {
  const array = shaped(value, place, allowed);
  return {
    shape: array.shape,
    data: Float32Array.from(numbers(array, place, Number.isFinite, "finite numbers")),
  };
}
