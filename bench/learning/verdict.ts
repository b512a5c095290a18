import type { Point } from "./trainOnce.ts";

export interface Verdict {
  /** The second of the first two consecutive generations that reach the threshold; null if there are none. */
  readonly passed: Point | null;
  /** Fraction of the generations from there on that reach the threshold. */
  readonly held: number;
  readonly last: number;
  /** Wall time in seconds until it passed, or of the whole training if it did not. */
  readonly seconds: number;
}

export function verdictOf(points: readonly Point[], threshold: number): Verdict {
  const good = points.map(({ score }) => score >= threshold);
  const at = good.findIndex((ok, i) => ok && i > 0 && good[i - 1]);
  const after = at < 0 ? [] : good.slice(at);
  return {
    passed: points[at] ?? null,
    held: after.length === 0 ? 0 : after.filter(Boolean).length / after.length,
    last: points.at(-1)?.score ?? Number.NaN,
    seconds: (points[at] ?? points.at(-1))?.seconds ?? Number.NaN,
  };
}
