/** Buffers of one member in the heap of a WebGPU device. */
import { ArenaBuffers, arenaLayout, type BufferPlace, requireFit, requireRoom } from "../arenaLayout.ts";
import type { Arena, Data } from "../device.ts";
import type { Binding } from "../dim.ts";
import type { DType, StateDecl } from "../tensor.ts";
import type { WebGpuDevice } from "./device.ts";

const dataOf = (buffer: ArrayBuffer, dtype: DType): Data => {
  if (dtype === "f32") return new Float32Array(buffer);
  return dtype === "u32" ? new Uint32Array(buffer) : new Int32Array(buffer);
};

/** Converts values to the buffer's format. */
const dataFrom = (
  values: ArrayLike<number>,
  dtype: DType,
): Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> => {
  if (dtype === "f32") return Float32Array.from(values);
  if (dtype === "bool") return Int32Array.from(values, (v) => (v === 0 ? 0 : -1));
  return Int32Array.from(values, (v) => v | 0);
};

export class WebGpuArena extends ArenaBuffers<BufferPlace> implements Arena {
  readonly bytes: number;
  readonly device: WebGpuDevice;
  readonly #start: number;

  constructor(device: WebGpuDevice, states: Iterable<StateDecl>, binding: Binding, shared?: WebGpuArena) {
    super(binding, shared);
    device.requireSound();
    this.device = device;
    const { places, bytes } = arenaLayout(states, binding, (name) => shared?.has(name) ?? false);
    this.bytes = bytes;
    this.#start = device.heap.allocate(bytes);
    for (const [name, place] of places) this.own.set(name, { ...place, start: this.#start + place.start });
    device.flush();
    const encoder = device.gpu.createCommandEncoder();
    encoder.clearBuffer(device.heap.buffer, this.#start, Math.ceil(bytes / 4) * 4);
    device.gpu.queue.submit([encoder.finish()]);
  }

  /** Address in bytes of the buffer of a program's state.
   * @throws RangeError when it does not exist, or has a different size or type. */
  address(decl: StateDecl): number {
    const buffer = this.buffer(decl.name);
    requireFit(decl, buffer, this.binding);
    return buffer.start;
  }

  /** How many values a buffer holds. @throws RangeError when it does not exist. */
  lengthOf(name: string): number {
    return this.buffer(name).length;
  }

  write(name: string, values: ArrayLike<number>, first = 0): void {
    const buffer = this.buffer(name);
    requireRoom(name, buffer, values, first);
    if (values.length === 0) return;
    this.device.flush();
    this.device.requireSound();
    const data = dataFrom(values, buffer.dtype);
    this.device.gpu.queue.writeBuffer(this.device.heap.buffer, buffer.start + 4 * first, data);
  }

  read(name: string): Promise<Data> {
    const { start, length, dtype } = this.buffer(name);
    return this.device.read(start, length * 4).then((bytes) => dataOf(bytes, dtype));
  }

  /** Location of its own buffers in the heap, for reading many arenas at once. */
  get place(): { readonly start: number; readonly bytes: number } {
    return { start: this.#start, bytes: this.bytes };
  }

  /** Location of a buffer in the heap, for reading many buffers at once. */
  placeOf(name: string): { readonly start: number; readonly bytes: number } {
    const { start, length } = this.buffer(name);
    return { start, bytes: 4 * length };
  }

  /** The values of a buffer, from a copy of its `placeOf`. */
  valuesIn(name: string, copy: ArrayBuffer): Data {
    return dataOf(copy, this.buffer(name).dtype);
  }

  /** Returns a function that finds its own buffers in a copy of its `place`. */
  buffersIn(copy: ArrayBuffer): (name: string) => Data | undefined {
    return (name) => {
      const buffer = this.own.get(name);
      if (!buffer) return undefined;
      const first = buffer.start - this.#start;
      return dataOf(copy.slice(first, first + 4 * buffer.length), buffer.dtype);
    };
  }

  protected free(): void {
    this.device.heap.free(this.#start, this.bytes);
  }
}
