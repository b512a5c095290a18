/** Cells of a MinAtar game, read from its state for drawings; tensor programs compute observations. */
import { SIDE } from "./rowBits.ts";

/** An occupied cell of a channel: column x from the left, row y from the top. */
export interface Cell {
  readonly channel: string;
  readonly x: number;
  readonly y: number;
}

/** The integers from `from` up to, but not including, `to`. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Access to a state's numbers by variable. */
export class GameNumbers {
  readonly #values = new Map<string, readonly number[]>();

  /** @param shapes Shapes of the variables, in the order of the state. */
  constructor(shapes: Readonly<Record<string, readonly number[]>>, state: ArrayLike<number>) {
    const all = Array.from(state);
    let at = 0;
    for (const [name, shape] of Object.entries(shapes)) {
      const size = shape.reduce((a, b) => a * b, 1);
      this.#values.set(name, all.slice(at, at + size));
      at += size;
    }
  }

  list(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  /** One number of a variable; 0 if it is missing. */
  at(name: string, index = 0): number {
    return this.list(name)[index] ?? 0;
  }

  /** Occupied cells of a grid that is stored as row bits. */
  grid(name: string, channel: string): Cell[] {
    return this.list(name).flatMap((bits, y) =>
      range(0, SIDE)
        .filter((x) => ((bits >> x) & 1) === 1)
        .map((x) => ({ channel, x, y })),
    );
  }
}
