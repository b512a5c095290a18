import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { lastCellOf } from "../../../series/historyCells.ts";
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
      const ranks = Array.from({ length: population }, (_, slot) => {
        const before = this.before(start + slot);
        return before < 0 ? population : this.lane(before);
      });
      const order = Array.from(ranks.keys()).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
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

/** The fate of all agents, seen from one generation. */
export interface LineageFate {
  /** The row of the generation that it is seen from. */
  readonly row: number;
  /** By cell: 1 for agents of that generation and their ancestors. */
  readonly survives: Uint8Array;
  /** By cell: members of that generation that descend from it, or are it. */
  readonly heirs: Uint16Array;
  /** By row: the cell of the elite or of its ancestor; -1 if unknown. */
  readonly elite: Int32Array;
}

/** The cell of the fittest member of a row; -1 if none has a fitness. */
export function fittest(
  { population, fitness }: Pick<HistoryColumns, "population" | "fitness">,
  row: number,
): number {
  let best = -1;
  for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
    const value = fitness[cell] ?? Number.NaN;
    if (Number.isFinite(value) && (best < 0 || value > (fitness[best] ?? Number.NaN))) best = cell;
  }
  return best;
}

/** The elite as of a row: the fittest of the last evaluated generation up to it; -1 for none. */
export function eliteAsOf(columns: Pick<HistoryColumns, "population" | "fitness">, row: number): number {
  for (let at = row; at >= 0; at -= 1) {
    const best = fittest(columns, at);
    if (best >= 0) return best;
  }
  return -1;
}

type EliteColumns = Pick<HistoryColumns, "population" | "fitness" | "index" | "generations">;

/**
 * The cell of the agent that a run delivers as of a row: at the newest one the champion of the final evaluation, else the
 * fittest of the last evaluated generation; -1 for none.
 * @param champion its identity; null before a final evaluation
 */
export function deliveredAsOf(columns: EliteColumns, row: number, champion: number | null): number {
  const known =
    champion === null || row !== columns.generations - 1 ? null : lastCellOf(columns, champion, row);
  return known ?? eliteAsOf(columns, row);
}

/**
 * Traces descent back from a generation.
 * @param row row of that generation within the graph
 * @param elite cell of its elite; -1 for none
 */
export function lineageFate(
  graph: LineageGraph,
  columns: Pick<HistoryColumns, "population" | "fitness">,
  row: number,
  elite: number = eliteAsOf(columns, row),
): LineageFate {
  const { population } = graph;
  const survives = new Uint8Array(graph.generations * population);
  const heirs = new Uint16Array(graph.generations * population);
  const line = new Int32Array(graph.generations).fill(-1);
  if (row < 0) return { row, survives, heirs, elite: line };
  survives.fill(1, row * population, (row + 1) * population);
  heirs.fill(1, row * population, (row + 1) * population);
  for (let cell = (row + 1) * population - 1; cell >= population; cell -= 1) {
    const before = graph.before(cell);
    if (survives[cell] !== 1 || before < 0) continue;
    survives[before] = 1;
    heirs[before] = (heirs[before] ?? 0) + (heirs[cell] ?? 0);
  }
  for (let at = elite; at >= 0; at = graph.before(at)) line[Math.floor(at / population)] = at;
  return { row, survives, heirs, elite: line };
}
