import { NumberColumn } from "../../tracking/NumberColumn.ts";
import { QUARTILES, type Quartiles, quartiles } from "../../tracking/quartiles.ts";

/** Quartiles over the population of each generation of one column, found once for each. */
export class RowSpread {
  readonly #columns: Readonly<Record<keyof Quartiles, NumberColumn>> = {
    min: new NumberColumn(),
    q1: new NumberColumn(),
    median: new NumberColumn(),
    q3: new NumberColumn(),
    max: new NumberColumn(),
  };

  /** Generations taken in. */
  get length(): number {
    return this.#columns.median.length;
  }

  /** Takes in the generations that are new. @param values [generations, population] */
  catchUp(values: Float64Array, population: number): void {
    const generations = Math.floor(values.length / Math.max(1, population));
    for (let row = this.length; row < generations; row += 1) {
      const spread = quartiles(values.subarray(row * population, (row + 1) * population));
      for (const part of QUARTILES) this.#columns[part].push(spread[part]);
    }
  }

  /** One part of all generations; a generation without values has null. */
  part(name: keyof Quartiles): (number | null)[] {
    return numbersOrNull(this.#columns[name].values());
  }
}

/** Values for a chart: what is no number becomes a gap. */
export const numbersOrNull = (values: Iterable<number>): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? value : null));
