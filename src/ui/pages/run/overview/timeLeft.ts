import type { FitnessColumns } from "../../../../tracking/clients.ts";
import type { ProgressReport } from "../../../../tracking/observer.ts";

/** Seconds until a run ends. */
export interface TimeLeft {
  /** Until the mean fitness reaches the target if it goes on rising as it has; null if that cannot be told. */
  readonly least: number | null;
  /** Until the run has taken all its steps. */
  readonly most: number;
}

/** Number of generations whose speed counts: evaluations are a part of it, and compilation is not for long. */
const RECENT = 5;

/** Least number of generations that tell a trend. */
const TREND = 3;

/** Steps per second of the last generations; before the first one ends, of what it has done so far. */
function speedOf({ generations, global_step, seconds }: FitnessColumns, progress: ProgressReport): number {
  if (generations === 0) return progress.steps_per_second;
  const from = Math.max(0, generations - RECENT);
  const before = from === 0 ? 0 : (global_step[from - 1] ?? 0);
  const time = seconds.subarray(from, generations).reduce((sum, each) => sum + each, 0);
  return ((global_step[generations - 1] ?? 0) - before) / time;
}

/** Mean fitness of a generation; NaN if it has no evaluation. */
function meanOf({ fitness, population }: FitnessColumns, row: number): number {
  const known = fitness.subarray(row * population, (row + 1) * population).filter(Number.isFinite);
  return known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** Steps of the population until its mean fitness is at the target, at the mean gain since the first generation. */
function stepsToTarget(columns: FitnessColumns, target: number): number | null {
  const { generations, global_step } = columns;
  const last = generations - 1;
  if (generations < TREND) return null;
  const [first, now] = [meanOf(columns, 0), meanOf(columns, last)];
  const steps = (target - now) * (((global_step[last] ?? 0) - (global_step[0] ?? 0)) / (now - first));
  return now > first && Number.isFinite(steps) ? Math.max(0, steps) : null;
}

/** Null before the speed of a run is known. */
export function timeLeft(
  columns: FitnessColumns,
  progress: ProgressReport | null,
  target: number | null,
): TimeLeft | null {
  if (progress === null) return null;
  const speed = speedOf(columns, progress);
  if (!(speed > 0) || !Number.isFinite(speed)) return null;
  const most = Math.max(0, progress.total_steps - progress.global_step) / speed;
  const steps = target === null ? null : stepsToTarget(columns, target);
  const least = steps === null ? null : steps / speed;
  return { least: least !== null && least < most ? least : null, most };
}

/** An estimated duration, which is not known to the second: 40 s, 3 min, 2.5 h. */
export function roughly(seconds: number): string {
  const minutes = seconds / 60;
  if (seconds < 90) return `${10 * Math.ceil(seconds / 10)} s`;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
