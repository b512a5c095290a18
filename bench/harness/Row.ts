/** One quantity that a row measures. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The project's target, if it has set one. */
  readonly target?: { readonly at_most: number } | { readonly at_least: number };
  /** Decimal places in tables. Default: 1. */
  readonly digits?: number;
}

/** A benchmark: one file in `rows/`. */
export interface Row {
  /** Name for `--row NAME`. */
  readonly name: string;
  /** One-line description of the measurement. */
  readonly title: string;
  readonly figures: readonly Figure[];
  /**
   * Measures once, in a separate process (numbered from 1). Returns one number per figure, in their order.
   */
  readonly measure: (process: number) => Promise<readonly number[]>;
  /** Device that it runs on. Default: the CPU. */
  readonly device?: "webgpu";
  /** Number of processes if `--processes` is absent. Default: 7. */
  readonly processes?: number;
}

/** Whether a value meets the target; null if there is no target. */
export function meets({ target }: Figure, value: number): boolean | null {
  if (!target) return null;
  return "at_most" in target ? value <= target.at_most : value >= target.at_least;
}
