/** Values that change over a run. */
import { type CosineLRScheduleConfig, schedulesIn } from "../../specs/algorithms.ts";

/**
 * Cosine of x in [0, pi], to 1e-12. Uses only additions and products, so that every engine computes the same
 * bits: the Taylor series at a quarter of the angle, doubled twice (cos 2x = 2 cos^2 x - 1).
 */
function cosine(x: number): number {
  const square = (x / 4) ** 2;
  let term = 1;
  let sum = 1;
  for (let n = 2; n <= 16; n += 2) {
    term *= -square / (n * (n - 1));
    sum += term;
  }
  const half = 2 * sum * sum - 1;
  return 2 * half * half - 1;
}

/**
 * Learning rate of the update that follows `updates` others (Loshchilov and Hutter 2017, equation 5, without
 * restarts). The rate rises linearly for `warmup_proportion` of `num_steps`, then falls along half a cosine
 * to `min_lr_ratio` of `lr`, and stays there.
 */
export function scheduledRate(lr: number, schedule: CosineLRScheduleConfig | null, updates: number): number {
  if (schedule === null) return lr;
  const { num_steps, warmup_proportion, min_lr_ratio } = schedule;
  const warmup = Math.round(num_steps * warmup_proportion);
  if (updates < warmup) return (lr * (updates + 1)) / (warmup + 1);
  const share = Math.min(1, (updates - warmup) / Math.max(1, num_steps - warmup));
  return lr * (min_lr_ratio + ((1 - min_lr_ratio) * (1 + cosine(Math.PI * share))) / 2);
}

/** A spec with the values of its schedules after part `done` of the run, 0 to 1. */
export function scheduledSpec<S extends object>(spec: S, done: number): S {
  const share = Math.min(1, Math.max(0, done));
  const values = spec as Readonly<Record<string, unknown>>;
  const changed = schedulesIn(values).map(({ of, kind, final }) => {
    const way = kind === "linear" ? share : (1 - cosine(Math.PI * share)) / 2;
    return [of, Number(values[of]) * (1 - (1 - final) * way)];
  });
  return { ...spec, ...Object.fromEntries(changed) };
}
