import { ArenaBuffers, arenaLayout, type BufferPlace, requireFit, requireRoom } from "../arenaLayout.ts";
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
export class OnnxArena extends ArenaBuffers<Entry> implements Arena {
  readonly memory: ProviderMemory;
  readonly #ended: (arena: OnnxArena) => void;

  /** @param ended Called when the arena is released. */
  constructor(
    memory: ProviderMemory,
    states: Iterable<StateDecl>,
    binding: Binding,
    shared: OnnxArena | undefined,
    ended: (arena: OnnxArena) => void,
  ) {
    super(binding, shared);
    memory.requireSound();
    this.memory = memory;
    this.#ended = ended;
    const { places } = arenaLayout(states, binding, (name) => shared?.has(name) ?? false);
    for (const [name, place] of places) this.own.set(name, { place, buffer: memory.buffer(place) });
  }

  get bytes(): number {
    let bytes = 0;
    for (const { buffer } of this.own.values()) bytes += buffer.bytes;
    return bytes;
  }

  /** The buffer of a program's state.
   * @throws RangeError when it does not exist, or has a different size or type. */
  bufferOf(decl: StateDecl, binding: Binding): StateBuffer {
    const { place, buffer } = this.buffer(decl.name);
    requireFit(decl, place, binding);
    return buffer;
  }

  /** @throws RangeError when the values do not fit, or are only part of a bool state. */
  write(name: string, values: ArrayLike<number>, first = 0): void {
    const { place, buffer } = this.buffer(name);
    requireRoom(name, place, values, first);
    if (place.dtype === "bool" && values.length < place.length) {
      throw new RangeError(
        `arena: buffer ${name} holds ${place.length} bools, found ${values.length}; write all of them`,
      );
    }
    this.memory.requireSound();
    const elements = elementsFrom(values, place.dtype);
    if (onnxCalls.isIdle) buffer.write(elements, first);
    else void onnxCalls.run(() => buffer.write(elements, first));
  }

  read(name: string): Promise<Data> {
    const { buffer } = this.buffer(name);
    return onnxCalls.run(() => this.memory.guarded(buffer.read()));
  }

  protected free(): void {
    this.#ended(this);
    void onnxCalls.run(() => {
      for (const { buffer } of this.own.values()) buffer.release();
    });
  }
}
