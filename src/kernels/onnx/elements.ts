/** Values of states in the format of onnxruntime's tensors: a bool is a byte. */
import type { Data } from "../device.ts";
import type { DType } from "../tensor.ts";

export type Elements =
  | Float32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

export const TENSOR_TYPES = { f32: "float32", i32: "int32", u32: "uint32", bool: "bool" } as const;
const ARRAYS = { f32: Float32Array, i32: Int32Array, u32: Uint32Array, bool: Uint8Array } as const;

/** Bytes of one value. */
export const elementBytes = (dtype: DType): number => ARRAYS[dtype].BYTES_PER_ELEMENT;

export const zeroElements = (dtype: DType, length: number): Elements => new ARRAYS[dtype](length);

export function elementsFrom(values: ArrayLike<number>, dtype: DType): Elements {
  const elements = zeroElements(dtype, values.length);
  if (dtype === "bool") for (let i = 0; i < values.length; i++) elements[i] = values[i] === 0 ? 0 : 1;
  else elements.set(values);
  return elements;
}

/** A view of the elements in a buffer. */
export const elementsIn = (buffer: ArrayBuffer, dtype: DType): Elements => new ARRAYS[dtype](buffer);

/** Copies elements into the format that devices return: true is -1. */
export const dataOf = (elements: Elements): Data =>
  elements instanceof Uint8Array ? Int32Array.from(elements, (v) => -v) : elements.slice();
