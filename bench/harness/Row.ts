/** One number that a row measures. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The project's own bound, where it has set one. */
  readonly target?: { readonly at_most: number } | { readonly at_least: number };
  /** Decimal places in tables; 1 unless given. */
  readonly digits?: number;
}

/** A benchmark: one file in `rows/`. */
export interface Row {
  /** Fit for `--row NAME`. */
  readonly name: string;
  /** What is measured, in one line. */
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Measures once, in a process of its own (the first is 1). One number for each figure, in their order. */
  readonly measure: (process: number) => Promise<readonly number[]>;
  /** What it runs on; the CPU unless given. */
  readonly device?: "webgpu";
  /** Processes when `--processes` is not given; 7 unless given. */
  readonly processes?: number;
}

/** Whether a value keeps its target; null without one. */
export function meets({ target }: Figure, value: number): boolean | null {
  if (!target) return null;
  return "at_most" in target ? value <= target.at_most : value >= target.at_least;
}
