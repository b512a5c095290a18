/** Lines of several runs as their mean, with an interval for it. */

/** Values at shared positions; null where a line has none. */
export type Values = readonly (number | null)[];

/** The 0.975 quantiles of Student's t for 1 to 30 degrees of freedom; beyond, the normal's is within 2 %. */
const T975 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;
const NORMAL975 = 1.96;

/** A line's value at each position from its first to its last: between its own positions by linear interpolation. */
export function filled(x: readonly number[], values: Values): Values {
  const known = values.flatMap((value, at) => (value === null ? [] : [at]));
  let next = 0;
  return values.map((value, at) => {
    if (value !== null) return value;
    while ((known[next] ?? at) < at) next += 1;
    const [before, after] = [known[next - 1], known[next]];
    if (before === undefined || after === undefined) return null;
    const [from, to] = [values[before] ?? Number.NaN, values[after] ?? Number.NaN];
    const [start, end, here] = [x[before] ?? 0, x[after] ?? 0, x[at] ?? 0];
    return from + ((to - from) * (here - start)) / (end - start);
  });
}

/** The mean of lines, and the ends of its 95 % interval, at each position. */
export interface SeedMean {
  readonly mean: Values;
  readonly low: Values;
  readonly high: Values;
}

/**
 * The mean over runs where all of them have a value, and its 95 % interval by Student's t. With runs of different lengths,
 * a mean over those that are left would jump where one ends.
 */
export function meanOf(x: readonly number[], lines: readonly Values[]): SeedMean {
  const whole = lines.map((line) => filled(x, line));
  const n = lines.length;
  const t = T975[n - 2] ?? NORMAL975;
  const at = x.map((_, position) => {
    const values = whole.flatMap((line) => line[position] ?? []);
    if (values.length < n || n === 0) return null;
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, half: n < 2 ? 0 : t * Math.sqrt(squares / (n - 1) / n) };
  });
  return {
    mean: at.map((one) => one?.mean ?? null),
    low: at.map((one) => (one ? one.mean - one.half : null)),
    high: at.map((one) => (one ? one.mean + one.half : null)),
  };
}
