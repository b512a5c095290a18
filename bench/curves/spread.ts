/** Combines the curves of several seeds: the median and the range at every step. */
import { median } from "../harness/statistics.ts";
import type { Point } from "../learning/trainOnce.ts";

export interface Spread {
  /** Environment steps of each agent. */
  readonly steps: number;
  readonly lowest: number;
  readonly median: number;
  readonly highest: number;
}

/**
 * Linear interpolation of the score at a step.
 * @param points Sorted by steps; their range must include `steps`.
 */
function scoreAt(points: readonly Point[], steps: number): number {
  const after = points.findIndex((point) => point.steps >= steps);
  const [before, next] = [points[after - 1], points[after]];
  if (next === undefined) return Number.NaN;
  if (before === undefined || next.steps === steps) return next.score;
  const part = (steps - before.steps) / (next.steps - before.steps);
  return before.score + part * (next.score - before.score);
}

/**
 * Median and range over seeds, at every step at which any seed has a point, within the range that all seeds
 * cover.
 * @param seeds Each seed's points, sorted by steps; at least one per seed.
 */
export function spreadOf(seeds: readonly (readonly Point[])[]): Spread[] {
  const from = Math.max(...seeds.map((points) => points[0]?.steps ?? Number.NaN));
  const to = Math.min(...seeds.map((points) => points.at(-1)?.steps ?? Number.NaN));
  const steps = [...new Set(seeds.flat().map((point) => point.steps))]
    .filter((step) => step >= from && step <= to)
    .sort((a, b) => a - b);
  return steps.map((step) => {
    const scores = seeds.map((points) => scoreAt(points, step)).sort((a, b) => a - b);
    return {
      steps: step,
      lowest: scores[0] ?? Number.NaN,
      median: median(scores),
      highest: scores.at(-1) ?? Number.NaN,
    };
  });
}
