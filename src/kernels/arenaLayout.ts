/** Placement of a member's buffers in its arena. */
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

/** @throws RangeError when there are more values than the buffer holds. */
export function requireRoom(name: string, found: BufferPlace, values: ArrayLike<number>): void {
  if (values.length > found.length)
    throw new RangeError(`arena: buffer ${name} holds ${found.length} values, found ${values.length}`);
}
