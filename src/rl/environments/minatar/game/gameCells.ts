/** What a MinAtar game shows, read from its state for the eye; the agent's pictures are made by tensor programs. */
import { SIDE } from "./rowBits.ts";

/** An occupied cell of a channel: column x from the left, row y from the top. */
export interface Cell {
  readonly channel: string;
  readonly x: number;
  readonly y: number;
}

/** The whole numbers from one to before another. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** A state's numbers by variable. */
export class GameNumbers {
  readonly #values = new Map<string, readonly number[]>();

  /** @param shapes Of the variables, in the order of the state. */
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

  /** One number of a variable; 0 for one that is missing. */
  at(name: string, index = 0): number {
    return this.list(name)[index] ?? 0;
  }

  /** Cells of a grid kept as row bits. */
  grid(name: string, channel: string): Cell[] {
    return this.list(name).flatMap((bits, y) =>
      range(0, SIDE)
        .filter((x) => ((bits >> x) & 1) === 1)
        .map((x) => ({ channel, x, y })),
    );
  }
}
