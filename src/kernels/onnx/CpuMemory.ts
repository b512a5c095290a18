import type { Tensor } from "onnxruntime-web/wasm";
import type { BufferPlace } from "../arenaLayout.ts";
import type { Data } from "../device.ts";
import type { Runtime } from "./runtime.ts";
import {
  dataOf,
  type Elements,
  elementBytes,
  type ProviderMemory,
  type StateBuffer,
  TENSOR_TYPES,
  zeroElements,
} from "./StateBuffer.ts";

/** States as tensors over typed arrays; a run's results are tensors that the runtime creates. */
export class CpuMemory implements ProviderMemory {
  readonly sessionOptions = { executionProviders: ["wasm"] };
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  buffer(place: Pick<BufferPlace, "length" | "dtype">): StateBuffer {
    return new CpuBuffer(this.#runtime, place);
  }

  requireSound(): void {}

  guarded<T>(call: Promise<T>): Promise<T> {
    return call;
  }

  close(): void {}
}

class CpuBuffer implements StateBuffer {
  readonly bytes: number;
  #tensor: Tensor;

  constructor({ Tensor }: Runtime, { length, dtype }: Pick<BufferPlace, "length" | "dtype">) {
    this.bytes = length * elementBytes(dtype);
    this.#tensor = new Tensor(TENSOR_TYPES[dtype], zeroElements(dtype, length), [length]);
  }

  get #elements(): Elements {
    return this.#tensor.data as Elements; // Tensors on the CPU of the types in use have no other data.
  }

  feed(shape: readonly number[]): Tensor {
    const { dims } = this.#tensor;
    if (dims.length !== shape.length || dims.some((size, d) => size !== shape[d]))
      this.#tensor = this.#tensor.reshape(shape);
    return this.#tensor;
  }

  target(): null {
    return null;
  }

  adopt(result: Tensor): void {
    this.#tensor = result;
  }

  write(elements: Elements, first: number): void {
    this.#elements.set(elements, first);
  }

  read(): Promise<Data> {
    return Promise.resolve(dataOf(this.#elements));
  }

  release(): void {}
}
