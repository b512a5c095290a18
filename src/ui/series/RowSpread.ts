import { Column } from "../../tracking/clients.ts";
import { QUARTILES, type Quartiles, quartiles } from "../../tracking/history.ts";

/** Quartiles over the population for each generation of one column, computed once per generation. */
export class RowSpread {
  readonly #columns: Readonly<Record<keyof Quartiles, Column>> = {
    min: new Column(new Float64Array()),
    q1: new Column(new Float64Array()),
    median: new Column(new Float64Array()),
    q3: new Column(new Float64Array()),
    max: new Column(new Float64Array()),
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
    return numbersOrNull(this.#columns[name].values);
  }
}

/** Values for a chart: those that are not finite become gaps. */
export const numbersOrNull = (values: Iterable<number>): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? value : null));
