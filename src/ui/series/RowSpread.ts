import { NumberColumn, QUARTILES, type Quartiles, quartiles } from "../../tracking/history.ts";

/** Quartiles over the population for each generation of one column, computed once per generation. */
export class RowSpread {
  readonly #columns: Readonly<Record<keyof Quartiles, NumberColumn>> = {
    min: new NumberColumn(),
    q1: new NumberColumn(),
    median: new NumberColumn(),
    q3: new NumberColumn(),
    max: new NumberColumn(),
  };

  /** Number of generations processed. */
  get length(): number {
    return this.#columns.median.length;
  }

  /** Processes new generations. @param values [generations, population] */
  catchUp(values: Float64Array, population: number): void {
    const generations = Math.floor(values.length / Math.max(1, population));
    for (let row = this.length; row < generations; row += 1) {
      const spread = quartiles(values.subarray(row * population, (row + 1) * population));
      for (const part of QUARTILES) this.#columns[part].push(spread[part]);
    }
  }

  /** One quantile for all generations; null for a generation without values. */
  part(name: keyof Quartiles): (number | null)[] {
    return numbersOrNull(this.#columns[name].values());
  }
}

/** Values for a chart: those that are not finite become gaps. */
export const numbersOrNull = (values: Iterable<number>): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? value : null));
