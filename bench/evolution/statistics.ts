/** Interquartile means and paired differences over tasks, with stratified bootstrap intervals (Agarwal et al. 2021). */
import { Random } from "../../src/evolution/random.ts";

/** A value of one run. */
export interface Sample {
  readonly task: string;
  readonly seed: number;
  readonly value: number;
}

export interface Interval {
  readonly estimate: number;
  /** Percentiles 2.5 and 97.5 of the bootstrap. */
  readonly low: number;
  readonly high: number;
  /** Number of samples. */
  readonly count: number;
}

const RESAMPLES = 4000;

export const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Mean of the middle half: a quarter of the values, rounded down, is left out at both ends. */
export function interquartileMean(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  return mean(sorted.slice(cut, sorted.length - cut));
}

/** Linear interpolation between the sorted values; `share` from 0 to 1. */
export function percentile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

/** Values by task, in the order of first appearance. */
export function strata(samples: readonly Sample[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const { task, value } of samples) {
    const group = groups.get(task) ?? [];
    group.push(value);
    groups.set(task, group);
  }
  return [...groups.values()];
}

/** A statistic with an interval from resampling the runs within each task. */
export function bootstrap(
  samples: readonly Sample[],
  statistic: (strata: readonly (readonly number[])[]) => number,
  resamples = RESAMPLES,
): Interval {
  const groups = strata(samples);
  if (groups.length === 0) return { estimate: Number.NaN, low: Number.NaN, high: Number.NaN, count: 0 };
  const random = new Random({ seed: 0, stream: "bootstrap" });
  const drawn = Array.from({ length: resamples }, () =>
    statistic(groups.map((group) => group.map(() => group[random.integer(group.length)] as number))),
  ).sort((a, b) => a - b);
  return {
    estimate: statistic(groups),
    low: percentile(drawn, 0.025),
    high: percentile(drawn, 0.975),
    count: samples.length,
  };
}

/** Interquartile mean over the runs of all tasks. */
export const interquartile = (samples: readonly Sample[], resamples?: number): Interval =>
  bootstrap(samples, (groups) => interquartileMean(groups.flat()), resamples);

/** Mean over the tasks' means, so that each task counts alike. */
export const meanOverTasks = (samples: readonly Sample[], resamples?: number): Interval =>
  bootstrap(samples, (groups) => mean(groups.map(mean)), resamples);

/** First minus second, for each task and seed that both have. */
export function paired(first: readonly Sample[], second: readonly Sample[]): Sample[] {
  const keyOf = ({ task, seed }: Sample): string => `${task} ${seed}`;
  const others = new Map(second.map((sample) => [keyOf(sample), sample.value]));
  return first.flatMap((sample) => {
    const other = others.get(keyOf(sample));
    return other === undefined ? [] : [{ ...sample, value: sample.value - other }];
  });
}
