import type { Descent } from "../../../series/lineageColours.ts";

/**
 * The lines of descent, and each agent's position in the drawing. A cell is a member of a generation: row x
 * population + slot. Each cell has at most one predecessor, so keeping children in the order of their parents
 * avoids all crossings. Rows are laid out one by one, so that drawn rows keep their layout as the run
 * continues.
 */
export class LineageGraph {
  #generations = 0;
  #population = 0;
  #before = new Int32Array();
  #lane = new Int32Array();
  #slot = new Int32Array();

  /** Number of generations laid out. */
  get generations(): number {
    return this.#generations;
  }

  get population(): number {
    return this.#population;
  }

  /** The cell of the previous generation that is the same agent or its parent; -1 for none. */
  before(cell: number): number {
    return this.#before[cell] ?? -1;
  }

  /** Position of a cell within its generation, 0 to population - 1. */
  lane(cell: number): number {
    return this.#lane[cell] ?? 0;
  }

  /** The cell at a position of a generation. */
  cellAt(row: number, lane: number): number {
    return row * this.#population + (this.#slot[row * this.#population + lane] ?? 0);
  }

  /** Lays out new generations. */
  catchUp({ generations, population, index, parent }: Descent): void {
    this.#population = population;
    this.#before = withRoom(this.#before, generations * population);
    this.#lane = withRoom(this.#lane, generations * population);
    this.#slot = withRoom(this.#slot, generations * population);
    for (let row = this.#generations; row < generations; row += 1) {
      const start = row * population;
      this.#link(row, index, parent);
      const rank = (slot: number): number => {
        const before = this.before(start + slot);
        return before < 0 ? population : this.lane(before);
      };
      const order = Array.from({ length: population }, (_, slot) => slot).sort(
        (a, b) => rank(a) - rank(b) || a - b,
      );
      for (const [lane, slot] of order.entries()) {
        this.#lane[start + slot] = lane;
        this.#slot[start + lane] = slot;
      }
    }
    this.#generations = Math.max(this.#generations, generations);
  }

  /** Finds the predecessor of each member: itself if it survived, else the agent it was cloned from. */
  #link(row: number, index: Int32Array, parent: Int32Array): void {
    const population = this.#population;
    const start = row * population;
    const cells = new Map<number, number>();
    for (let cell = Math.max(0, start - population); cell < start; cell += 1)
      cells.set(index[cell] ?? -1, cell);
    for (let cell = start; cell < start + population; cell += 1) {
      this.#before[cell] = cells.get(index[cell] ?? -1) ?? cells.get(parent[cell] ?? -1) ?? -1;
    }
  }
}

/** Returns an array with room for at least `length` numbers. */
function withRoom(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const larger = new Int32Array(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}

/** The graph of a whole history. */
export function lineageGraph(descent: Descent): LineageGraph {
  const graph = new LineageGraph();
  graph.catchUp(descent);
  return graph;
}
