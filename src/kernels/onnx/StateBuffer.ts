import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import type { BufferPlace } from "../arenaLayout.ts";
import type { Data } from "../device.ts";
import type { DType } from "../tensor.ts";

/** Values of states in the format of onnxruntime's tensors: a bool is a byte. */
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

/** One state of an arena, as a provider stores it. Its methods are called from the queue of all calls. */
export interface StateBuffer {
  readonly bytes: number;
  /** The contents as an input. */
  feed(shape: readonly number[]): Tensor;
  /** Target of a run's result; null if the runtime creates a tensor. `carried`: the run reads the state too. */
  target(shape: readonly number[], carried: boolean): Tensor | null;
  /** Makes the result of a run the contents. */
  adopt(result: Tensor, carried: boolean): void;
  /** Replaces the elements from the one with index `first`. */
  write(elements: Elements, first: number): void;
  read(): Promise<Data>;
  release(): void;
}

/** A provider's interface for arenas and sessions. */
export interface ProviderMemory {
  readonly sessionOptions: InferenceSession.SessionOptions;
  /** A buffer of zeros. */
  buffer(place: Pick<BufferPlace, "length" | "dtype">): StateBuffer;
  /** @throws GpuFault when the device has failed. */
  requireSound(): void;
  /** Returns the result of a call, or throws the device's failure. */
  guarded<T>(call: Promise<T>): Promise<T>;
  close(): void;
}
