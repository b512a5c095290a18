/** Colours of members by descent: a lineage keeps its colour from generation to generation. */
import type { HistoryColumns } from "../../workers/protocol.ts";

/** Number of colours of members, `--slot-0` to `--slot-7`. */
export const LINEAGE_COLOURS = 8;

/** The columns that determine the colours. */
export type Descent = Pick<HistoryColumns, "generations" | "population" | "index" | "parent">;

/**
 * The colour of every agent of a run, by agent index. A surviving member keeps its colour; otherwise its
 * first child in slot order inherits it. Every other child takes the colour used by the fewest members of its
 * generation; among equals, the one unused the longest.
 */
export class LineageColours {
  readonly #colours = new Map<number, number>();
  /** Generation in which each colour was last seen. */
  readonly #lastUse = new Array<number>(LINEAGE_COLOURS).fill(-1);
  #before: readonly number[] = [];
  #generations = 0;

  /** Number of generations processed. */
  get generations(): number {
    return this.#generations;
  }

  /** Colour of an agent, 0 to {@link LINEAGE_COLOURS} - 1; 0 for an unknown agent. */
  of(index: number): number {
    return this.#colours.get(index) ?? 0;
  }

  /**
   * Processes the next generation.
   * @param indices agent indices by slot
   * @param parents agent indices of their parents, -1 for none
   */
  append(indices: ArrayLike<number>, parents: ArrayLike<number>): void {
    const members = Array.from(indices);
    const living = new Set(this.#before);
    const inherited = new Set(members.filter((index) => living.has(index)));
    const uses = new Array<number>(LINEAGE_COLOURS).fill(0);
    const give = (index: number, colour: number): void => {
      this.#colours.set(index, colour);
      uses[colour] = (uses[colour] ?? 0) + 1;
    };
    const waiting: number[] = [];
    for (const [slot, index] of members.entries()) {
      const parent = parents[slot] ?? -1;
      const own = this.#colours.get(index);
      if (own !== undefined) give(index, own);
      else if (living.has(parent) && !inherited.has(parent)) {
        inherited.add(parent);
        give(index, this.of(parent));
      } else waiting.push(index);
    }
    for (const index of waiting) give(index, this.#freest(uses));
    for (const [colour, count] of uses.entries()) if (count > 0) this.#lastUse[colour] = this.#generations;
    this.#before = members;
    this.#generations += 1;
  }

  /** Processes the new generations of a history. */
  catchUp({ generations, population, index, parent }: Descent): void {
    for (let row = this.#generations; row < generations; row += 1) {
      const [from, to] = [row * population, (row + 1) * population];
      this.append(index.subarray(from, to), parent.subarray(from, to));
    }
  }

  #freest(uses: readonly number[]): number {
    let [best, least, longest] = [0, Number.POSITIVE_INFINITY, 0];
    for (let colour = 0; colour < LINEAGE_COLOURS; colour += 1) {
      const [count = 0, last = -1] = [uses[colour], this.#lastUse[colour]];
      if (count < least || (count === least && last < longest))
        [best, least, longest] = [colour, count, last];
    }
    return best;
  }
}

/** The founder of every agent of a run by its slot: on stage all descendants have its colour, so that one sees whose line spreads. */
export class FounderColours {
  readonly #colours = new Map<number, number>();
  #generations = 0;

  /** Colour of an agent, 0 to {@link LINEAGE_COLOURS} - 1; null for an unknown agent. */
  of(index: number): number | null {
    return this.#colours.get(index) ?? null;
  }

  /** Processes the new generations of a history. */
  catchUp({ generations, population, index, parent }: Descent): void {
    for (; this.#generations < generations; this.#generations += 1)
      for (let slot = 0; slot < population; slot += 1) {
        const cell = this.#generations * population + slot;
        const own = index[cell] ?? -1;
        const inherited = this.of(own) ?? this.of(parent[cell] ?? -1);
        this.#colours.set(own, inherited ?? slot % LINEAGE_COLOURS);
      }
  }
}

/** The colours of a whole history. */
export function lineageColours(history: Descent): LineageColours {
  const colours = new LineageColours();
  colours.catchUp(history);
  return colours;
}
