/** Intervals of means by resampling (Efron 1979). */
import { mean } from "./mean.ts";
import type { Random } from "./random.ts";

/** The 2.5 % and 97.5 % quantiles of the means of `resamples` draws of as many values, with replacement. */
export function bootstrapInterval(
  values: readonly number[],
  random: Random,
  resamples: number,
): readonly [low: number, high: number] {
  const means = Array.from({ length: resamples }, () => mean(values.map(() => random.choice(values))));
  means.sort((a, b) => a - b);
  const at = (share: number): number => means[Math.round(share * (resamples - 1))] as number;
  return [at(0.025), at(0.975)];
}
