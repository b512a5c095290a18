import { arenaLayout, type BufferPlace, requireFit, requireRoom } from "../arenaLayout.ts";
import type { Arena, Data } from "../device.ts";
import type { Binding } from "../dim.ts";
import type { StateDecl } from "../tensor.ts";
import { onnxCalls } from "./runtime.ts";
import { elementsFrom, type ProviderMemory, type StateBuffer } from "./StateBuffer.ts";

interface Entry {
  readonly place: BufferPlace;
  readonly buffer: StateBuffer;
}

/** States of one member as onnxruntime tensors. Writes and reads are queued behind earlier runs. */
export class OnnxArena implements Arena {
  readonly binding: Binding;
  readonly memory: ProviderMemory;
  readonly #shared: OnnxArena | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #ended: (arena: OnnxArena) => void;
  #released = false;

  /** @param ended Called when the arena is released. */
  constructor(
    memory: ProviderMemory,
    states: Iterable<StateDecl>,
    binding: Binding,
    shared: OnnxArena | undefined,
    ended: (arena: OnnxArena) => void,
  ) {
    memory.requireSound();
    this.memory = memory;
    this.binding = binding;
    this.#shared = shared;
    this.#ended = ended;
    const { places } = arenaLayout(states, binding, (name) => shared?.has(name) ?? false);
    for (const [name, place] of places) this.#entries.set(name, { place, buffer: memory.buffer(place) });
  }

  get bytes(): number {
    let bytes = 0;
    for (const { buffer } of this.#entries.values()) bytes += buffer.bytes;
    return bytes;
  }

  get released(): boolean {
    return this.#released;
  }

  has(name: string): boolean {
    return this.#entries.has(name) || (this.#shared?.has(name) ?? false);
  }

  /** The buffer of a program's state.
   * @throws RangeError when it does not exist, or has a different size or type. */
  bufferOf(decl: StateDecl, binding: Binding): StateBuffer {
    const { place, buffer } = this.#entry(decl.name);
    requireFit(decl, place, binding);
    return buffer;
  }

  #entry(name: string): Entry {
    if (this.#released) throw new Error(`arena: buffer ${name} was requested after release`);
    const entry =
      this.#entries.get(name) ?? (this.#shared?.has(name) ? this.#shared.#entry(name) : undefined);
    if (!entry)
      throw new RangeError(`arena: no buffer ${name}; available: ${[...this.#entries.keys()].join(", ")}`);
    return entry;
  }

  /** @throws RangeError when the values do not fit, or are only part of a bool state. */
  write(name: string, values: ArrayLike<number>): void {
    const { place, buffer } = this.#entry(name);
    requireRoom(name, place, values);
    if (place.dtype === "bool" && values.length < place.length) {
      throw new RangeError(
        `arena: buffer ${name} holds ${place.length} bools, found ${values.length}; write all of them`,
      );
    }
    this.memory.requireSound();
    const elements = elementsFrom(values, place.dtype);
    if (onnxCalls.isIdle) buffer.write(elements);
    else void onnxCalls.run(() => buffer.write(elements));
  }

  read(name: string): Promise<Data> {
    const { buffer } = this.#entry(name);
    return onnxCalls.run(() => this.memory.guarded(buffer.read()));
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#ended(this);
    void onnxCalls.run(() => {
      for (const { buffer } of this.#entries.values()) buffer.release();
    });
  }
}
