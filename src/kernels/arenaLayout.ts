/** The buffers of a member: their placement in its arena, and what arenas of all devices have in common. */
import type { Binding } from "./dim.ts";
import { evalDim, shapeKey, sizeOf } from "./dim.ts";
import { SLACK } from "./lowering/placement.ts";
import type { DType, StateDecl } from "./tensor.ts";

export interface BufferPlace {
  /** Bytes from the start of the arena. */
  readonly start: number;
  readonly length: number;
  readonly dtype: DType;
}

export interface ArenaLayout {
  readonly places: ReadonlyMap<string, BufferPlace>;
  readonly bytes: number;
}

/** @throws RangeError when a buffer's size is not a whole number under the binding. */
export function arenaLayout(
  states: Iterable<StateDecl>,
  binding: Binding,
  elsewhere: (name: string) => boolean,
): ArenaLayout {
  const places = new Map<string, BufferPlace>();
  let bytes = 0;
  for (const { name, shape, dtype } of states) {
    if (elsewhere(name) || places.has(name)) continue;
    const length = evalDim(sizeOf(shape), binding);
    if (!(Number.isInteger(length) && length >= 0)) {
      throw new RangeError(
        `arena: buffer ${name} ${shapeKey(shape)} would hold ${length} values; sizes are whole numbers from 0`,
      );
    }
    places.set(name, { start: bytes, length, dtype });
    bytes += Math.ceil((length * 4 + SLACK) / 16) * 16;
  }
  return { places, bytes };
}

/** @throws RangeError when the program declares a different size or type for the buffer. */
export function requireFit({ name, shape, dtype }: StateDecl, found: BufferPlace, binding: Binding): void {
  const needed = evalDim(sizeOf(shape), binding);
  if (found.length === needed && found.dtype === dtype) return;
  throw new RangeError(
    `arena: buffer ${name} holds ${found.length} values of ${found.dtype}, the program needs ${needed} of ${dtype}; make the arena from the program's own states`,
  );
}

/** @throws RangeError when there are more values than the buffer holds from the one with index `first`. */
export function requireRoom(name: string, found: BufferPlace, values: ArrayLike<number>, first = 0): void {
  if (values.length <= found.length - first) return;
  const from = first === 0 ? "" : ` from value ${first}`;
  throw new RangeError(`arena: buffer ${name} holds ${found.length} values, found ${values.length}${from}`);
}

/** Buffers by name: an arena's own, and those of the arena that it shares. */
export abstract class ArenaBuffers<B> {
  readonly binding: Binding;
  readonly #shared: ArenaBuffers<B> | undefined;
  /** Its own buffers; filled by the constructor of each kind of arena. */
  protected readonly own = new Map<string, B>();
  #released = false;

  constructor(binding: Binding, shared: ArenaBuffers<B> | undefined) {
    this.binding = binding;
    this.#shared = shared;
  }

  has(name: string): boolean {
    return this.own.has(name) || (this.#shared?.has(name) ?? false);
  }

  get released(): boolean {
    return this.#released;
  }

  protected buffer(name: string): B {
    if (this.#released) throw new Error(`arena: buffer ${name} was requested after release`);
    const buffer = this.own.get(name) ?? (this.#shared?.has(name) ? this.#shared.buffer(name) : undefined);
    if (!buffer)
      throw new RangeError(`arena: no buffer ${name}; available: ${[...this.own.keys()].join(", ")}`);
    return buffer;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.free();
  }

  /** Gives its memory back; called once. */
  protected abstract free(): void;
}

/** @throws Error for a program that was bound to an arena, after its own release or the arena's. */
export function requireHeld(isReleased: boolean, arena: { readonly released: boolean }): void {
  if (isReleased || arena.released)
    throw new Error(`a bound program was run after ${isReleased ? "its" : "its arena's"} release`);
}
