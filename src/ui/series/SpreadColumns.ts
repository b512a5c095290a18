import { NumberColumn } from "../../tracking/NumberColumn.ts";

/** Where the fitnesses of a population lie in one generation. */
export interface Spread {
  /** From the 10th to the 90th percentile of the members. */
  readonly outer: readonly [number, number];
  /** From the 25th to the 75th percentile. */
  readonly inner: readonly [number, number];
  readonly median: number;
}

/** The value with a share `level` of the sorted values below it, in proportion between its neighbours. */
function quantile(sorted: Float64Array, level: number): number {
  const position = level * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - below);
}

/** The spread of every generation, of a population too large for a line each. */
export class SpreadColumns {
  /** Fitness of the generation's best member; NaN when none has one. */
  readonly elite = new NumberColumn();
  readonly #p10 = new NumberColumn();
  readonly #p25 = new NumberColumn();
  readonly #p50 = new NumberColumn();
  readonly #p75 = new NumberColumn();
  readonly #p90 = new NumberColumn();

  /** @param fitnesses of a generation, without those that are no number; in any order */
  push(fitnesses: readonly number[]): void {
    const sorted = Float64Array.from(fitnesses).sort();
    this.elite.push(quantile(sorted, 1));
    this.#p10.push(quantile(sorted, 0.1));
    this.#p25.push(quantile(sorted, 0.25));
    this.#p50.push(quantile(sorted, 0.5));
    this.#p75.push(quantile(sorted, 0.75));
    this.#p90.push(quantile(sorted, 0.9));
  }

  /** The spread of the generation at `index`; null when no member has a fitness. */
  at(index: number): Spread | null {
    const median = this.#p50.at(index);
    if (!Number.isFinite(median)) return null;
    return {
      outer: [this.#p10.at(index), this.#p90.at(index)],
      inner: [this.#p25.at(index), this.#p75.at(index)],
      median,
    };
  }
}
