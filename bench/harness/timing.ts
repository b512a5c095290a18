import { median } from "./statistics.ts";

export interface TimingOptions {
  /** Calls before timing starts, so that the engine optimises the code. */
  readonly warmup: number;
  /** Timed blocks; the result is their median. */
  readonly blocks: number;
  /** Calls per block. */
  readonly calls: number;
}

const microseconds = (run: () => void, calls: number): number => {
  const start = performance.now();
  for (let i = 0; i < calls; i++) run();
  return ((performance.now() - start) / calls) * 1000;
};

/** Microseconds per call. */
export function timePerCall(run: () => void, { warmup, blocks, calls }: TimingOptions): number {
  for (let i = 0; i < warmup; i++) run();
  return median(Array.from({ length: blocks }, () => microseconds(run, calls)));
}

export interface Comparison {
  readonly first: number;
  readonly second: number;
  /** Median of second / first over pairs of consecutive blocks. */
  readonly ratio: number;
}

/** Times two subjects alternately, so that other load on the machine affects both equally. */
export function compareTimes(
  first: { readonly run: () => void; readonly options: TimingOptions },
  second: { readonly run: () => void; readonly options: TimingOptions },
): Comparison {
  for (const { run, options } of [first, second]) for (let i = 0; i < options.warmup; i++) run();
  const pairs = Array.from({ length: first.options.blocks }, () => [
    microseconds(first.run, first.options.calls),
    microseconds(second.run, second.options.calls),
  ]) as [number, number][];
  return {
    first: median(pairs.map(([a]) => a)),
    second: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => b / a)),
  };
}
